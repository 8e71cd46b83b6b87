'use strict';

/** Starts the page: its buttons, and theme, size and print of its charts. */

const COPIED_MS = 1800;

/** @param {string} text for screen readers */
function say(text) {
  /** @type {HTMLElement} */ (document.getElementById('said')).textContent = text;
}

/**
 * Copies the text of an element. A page from disk may have no clipboard to write to: then it
 * selects the text and uses the old command.
 * @param {HTMLElement} source
 * @returns {Promise<boolean>}
 */
async function copyFrom(source) {
  const text = source.textContent ?? '';
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch (_refused) {
    getSelection()?.selectAllChildren(source);
    return document.execCommand('copy');
  }
}

/** @param {Element} button */
async function onCopy(button) {
  const source = /** @type {HTMLElement} */ (
    document.getElementById(/** @type {HTMLElement} */ (button).dataset.copy ?? '')
  );
  const done = await copyFrom(source);
  say(done ? 'Copied.' : 'It could not be copied; it is selected now.');
  const first = /** @type {Text} */ (button.firstChild);
  first.data = done ? 'Copied ✓' : 'Selected';
  button.classList.toggle('done', done);
  setTimeout(() => {
    first.data = 'Copy';
    button.classList.remove('done');
  }, COPIED_MS);
}

const startCopies = () =>
  document
    .querySelectorAll('[data-copy]')
    .forEach((button) => button.addEventListener('click', () => onCopy(button)));

/** Filters the rows of a table by status and by text. @param {Element} bar */
function startFilter(bar) {
  const table = /** @type {HTMLElement} */ (
    document.getElementById(/** @type {HTMLElement} */ (bar).dataset.filters ?? '')
  );
  const rows = [...table.querySelectorAll('tbody tr')];
  const buttons = [...bar.querySelectorAll('[data-status]')];
  const search = /** @type {HTMLInputElement} */ (bar.querySelector('input'));
  const count = /** @type {HTMLElement} */ (bar.querySelector('.count'));
  const apply = () => {
    const shown = new Set(
      buttons
        .filter((button) => button.getAttribute('aria-pressed') === 'true')
        .map((button) => /** @type {HTMLElement} */ (button).dataset.status),
    );
    const wanted = search.value.trim().toLowerCase();
    for (const row of rows) {
      const status = /** @type {HTMLElement | null} */ (row.querySelector('[data-row-status]'))
        ?.dataset.rowStatus;
      const fits =
        (status === undefined || shown.has(status)) &&
        (wanted === '' || (row.textContent ?? '').toLowerCase().includes(wanted));
      /** @type {HTMLElement} */ (row).hidden = !fits;
    }
    const left = rows.filter((row) => !(/** @type {HTMLElement} */ (row).hidden)).length;
    count.textContent = left === rows.length ? '' : `${left} of ${rows.length} shown`;
  };
  search.addEventListener('input', apply);
  buttons.forEach((button) =>
    button.addEventListener('click', () => {
      button.setAttribute('aria-pressed', String(button.getAttribute('aria-pressed') !== 'true'));
      apply();
    }),
  );
  apply();
}

const startFilters = () => document.querySelectorAll('[data-filters]').forEach(startFilter);

/** @typedef {ReturnType<typeof makeGroup>} Charts */

/** @param {Charts} charts */
function startTheme(charts) {
  const button = /** @type {HTMLElement} */ (document.getElementById('theme'));
  const system = matchMedia('(prefers-color-scheme: dark)');
  const show = (/** @type {boolean} */ dark) => {
    document.documentElement.dataset.theme = dark ? 'dark' : 'light';
    button.setAttribute('aria-pressed', String(dark));
    charts.forEach(({ u }) => u.redraw(false));
  };
  button.addEventListener('click', () => show(document.documentElement.dataset.theme !== 'dark'));
  system.addEventListener('change', () => show(system.matches));
  show(system.matches);
}

/** Draws the charts as wide as the space, on paper too. @param {Charts} charts */
function startSizes(charts) {
  const fit = () =>
    charts.forEach(({ u, element }) => {
      const width = element.clientWidth;
      if (width > 0 && Math.abs(width - u.width) > 1) u.setSize({ width, height: HEIGHT });
    });
  new ResizeObserver(fit).observe(document.body);
}

/** Prepares for print: paper is light, and shows folded parts. @param {Charts} charts */
function startPrint(charts) {
  /** @type {Element[]} */ let opened = [];
  let theme = '';
  addEventListener('beforeprint', () => {
    opened = [...document.querySelectorAll('details:not([open])')];
    opened.forEach((details) => details.setAttribute('open', ''));
    theme = document.documentElement.dataset.theme ?? '';
    document.documentElement.dataset.theme = 'light';
    charts.forEach(({ u }) => u.redraw(false));
  });
  addEventListener('afterprint', () => {
    opened.forEach((details) => details.removeAttribute('open'));
    document.documentElement.dataset.theme = theme;
    charts.forEach(({ u }) => u.redraw(false));
  });
  /** @type {HTMLElement} */ (document.getElementById('print')).addEventListener('click', () =>
    print(),
  );
}

function start() {
  const data = readData();
  const charts = data.groups.flatMap((group) => makeGroup(data, group));
  startTheme(charts);
  startSizes(charts);
  startPrint(charts);
  startCopies();
  startFilters();
  document.documentElement.dataset.ready = 'yes';
}

start();
