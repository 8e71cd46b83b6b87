'use strict';

const assert = require('node:assert/strict');
const {
  zipfian,
  zetaOf,
  THETA,
  uniform,
  scrambled,
  latest,
  SCRAMBLED_ITEMS,
  SCRAMBLED_ZETA,
  fnvModulo,
  mix,
} = require('../../../../../lib/bench/load/workloads/operations');
const { seeded, pValue, countBins } = require('./chi-square');

const DRAWS = 200_000;
// With fixed seeds a test either always passes or never; a right generator falls below this for one
// seed in a thousand.
const MIN = 0.001;

/**
 * The share of draws below rank k, from the formula of Gray et al. solved for the random number.
 * @param {number} items @param {number} zeta
 */
function belowRank(items, zeta) {
  const [zetaOfTwo, alpha] = [zetaOf(0, 2, THETA, 0), 1 / (1 - THETA)];
  const eta = (1 - (2 / items) ** (1 - THETA)) / (1 - zetaOfTwo / zeta);
  const second = zetaOfTwo / zeta;
  return (/** @type {number} */ rank) => {
    if (rank === 0) return 0;
    if (rank === 1) return 1 / zeta;
    if (rank >= items) return 1;
    return Math.max(second, ((rank / items) ** (1 / alpha) - 1 + eta) / eta);
  };
}

/** Ranks in bins that double. @param {number} items */
function doubling(items) {
  const edges = [0];
  for (let edge = 1; edge < items; edge *= 2) edges.push(edge);
  edges.push(items);
  return {
    edges,
    binOf: (/** @type {number} */ rank) =>
      edges.findLastIndex((edge, i) => rank >= edge && i < edges.length - 1),
  };
}

describe('the distributions of keys, against their theory', () => {
  for (const items of [10, 1000, 50_000]) {
    it(`zipfian over ${items} items`, () => {
      const { edges, binOf } = doubling(items);
      const below = belowRank(items, zetaOf(0, items, THETA, 0));
      const expected = edges.slice(1).map((edge, i) => below(edge) - below(edges[i]));
      const seen = countBins(zipfian(items, seeded(items)), DRAWS, binOf, expected.length);
      const filled = expected.flatMap((p, i) => (p > 0 ? [i] : []));
      assert.deepEqual(
        seen.filter((n, i) => expected[i] <= 0 && n > 0),
        [],
      );
      assert.ok(
        pValue(
          filled.map((i) => seen[i]),
          filled.map((i) => expected[i]),
        ) > MIN,
      );
    });
  }

  it("zipfian is Zipf's law itself to a few percent: 1 / (r + 1)^0.99", () => {
    const items = 10_000;
    const zeta = zetaOf(0, items, THETA, 0);
    const { edges, binOf } = doubling(items);
    const seen = countBins(zipfian(items, seeded(7)), DRAWS, binOf, edges.length - 1);
    edges.slice(1).forEach((edge, i) => {
      const law = (zetaOf(0, edge, THETA, 0) - zetaOf(0, edges[i], THETA, 0)) / zeta;
      // The curve of the algorithm leaves the law most at the ranks from 2 on.
      assert.ok(
        Math.abs(seen[i] / DRAWS - law) < 0.02,
        `ranks ${edges[i]} to ${edge}: ${seen[i] / DRAWS} against ${law}`,
      );
    });
    assert.ok(Math.abs(seen[0] / DRAWS - 1 / zeta) < 0.003);
  });

  it('zipfian over items that become more is that over all of them', () => {
    const [grown, whole] = [zipfian(100, seeded(3)), zipfian(900, seeded(3))];
    grown(500);
    whole();
    for (let i = 0; i < 1000; i++) assert.equal(grown(900), whole());
  });

  it('uniform', () => {
    const seen = countBins(uniform(100, seeded(1)), DRAWS, (key) => key, 100);
    assert.ok(
      pValue(
        seen,
        seen.map(() => 0.01),
      ) > MIN,
    );
  });

  it('scrambled: the probabilities of the ranks, at the places where their hashes fall', () => {
    const items = 50;
    const below = belowRank(SCRAMBLED_ITEMS, SCRAMBLED_ZETA);
    const expected = new Array(items).fill(0);
    const ranks = 100_000;
    for (let rank = 0; rank < ranks; rank++)
      expected[fnvModulo(rank, items)] += below(rank + 1) - below(rank);
    // The ranks beyond are spread evenly by the hash.
    for (let key = 0; key < items; key++) expected[key] += (1 - below(ranks)) / items;
    const seen = countBins(scrambled(items, seeded(5)), DRAWS, (key) => key, items);
    assert.ok(pValue(seen, expected) > MIN);
  });

  it('the published sum of 10^10 terms continues our own', () => {
    // Euler and Maclaurin: the sum from n on is the integral, less half a term.
    const n = 1_000_000;
    const rest =
      (SCRAMBLED_ITEMS ** 0.01 - n ** 0.01) / 0.01 + (SCRAMBLED_ITEMS ** -0.99 - n ** -0.99) / 2;
    assert.ok(Math.abs(zetaOf(0, n, THETA, 0) + rest - SCRAMBLED_ZETA) < 1e-6);
  });

  it('latest: the newest is the most popular, also when more come in', () => {
    const choose = latest(10, seeded(2));
    const below = belowRank(1000, zetaOf(0, 1000, THETA, 0));
    const seen = countBins(
      () => choose(1000),
      DRAWS,
      (age) => Math.min(age, 2),
      3,
    );
    assert.ok(pValue(seen, [below(1), below(2) - below(1), 1 - below(2)]) > MIN);
  });

  it('the mix of operations', () => {
    const draw = mix(
      [
        ['read', 0.5],
        ['update', 0.45],
        ['scan', 0.05],
      ],
      seeded(9),
    );
    const kinds = ['read', 'update', 'scan'];
    const seen = countBins(
      () => kinds.indexOf(draw()),
      DRAWS,
      (kind) => kind,
      3,
    );
    assert.ok(pValue(seen, [0.5, 0.45, 0.05]) > MIN);
    assert.equal(
      mix(
        [
          ['a', 0.3],
          ['b', 0.6],
        ],
        () => 0.99,
      )(),
      'b',
    );
  });

  it('the test itself tells a wrong distribution', () => {
    const wrong = countBins(
      uniform(1000, seeded(4)),
      DRAWS,
      (key) => Math.floor((key / 1000) ** 1.01 * 100),
      100,
    );
    assert.ok(
      pValue(
        wrong,
        wrong.map(() => 0.01),
      ) < MIN,
    );
  });
});
