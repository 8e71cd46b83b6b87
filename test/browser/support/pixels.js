'use strict';

/**
 * @import { Page } from 'playwright-core'
 */

/**
 * What is really painted on the canvas of a chart.
 * @param {Page} page
 * @param {string} chart its id
 * @returns {Promise<{ painted: number, share: number, colored: Record<string, number>, columns:
 *   number }>} pixels that are not empty, and their share of all; those near to the colour of each
 *   track, by the name of its style variable; columns of pixels with the first track in them, as a
 *   share
 */
const pixelsOf = (page, chart) =>
  page.evaluate((id) => {
    const canvas = document.querySelector(`#${id} canvas`);
    // A copy: reading the chart's own canvas changes how the browser keeps it.
    const copyOf = (source, width, height) => {
      const copy = Object.assign(document.createElement('canvas'), { width, height }).getContext(
        '2d',
        { willReadFrequently: true },
      );
      if (source) copy.drawImage(source, 0, 0);
      return copy;
    };
    const { data, width, height } = copyOf(canvas, canvas.width, canvas.height).getImageData(
      0,
      0,
      canvas.width,
      canvas.height,
    );
    const probe = copyOf(null, 1, 1);
    const rgb = (name) => {
      probe.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
      probe.fillRect(0, 0, 1, 1);
      return probe.getImageData(0, 0, 1, 1).data;
    };
    const colors = Object.fromEntries(
      ['--s1', '--s2', '--s3', '--s4', '--s5', '--level', '--stall'].map((name) => [
        name,
        rgb(name),
      ]),
    );
    const near = (at, [r, g, b]) =>
      data[at + 3] > 128 &&
      Math.abs(data[at] - r) + Math.abs(data[at + 1] - g) + Math.abs(data[at + 2] - b) < 60;
    const colored = Object.fromEntries(Object.keys(colors).map((name) => [name, 0]));
    const seen = new Set();
    let painted = 0;
    for (let at = 0; at < data.length; at += 4) {
      if (data[at + 3] > 0) painted++;
      for (const [name, color] of Object.entries(colors)) if (near(at, color)) colored[name]++;
      if (near(at, colors['--s1'])) seen.add((at / 4) % width);
    }
    return {
      painted,
      share: painted / (width * height),
      colored,
      columns: seen.size / width,
      height,
    };
  }, chart);

module.exports = { pixelsOf };
