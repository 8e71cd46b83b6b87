'use strict';

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

/** Charts are as wide as there is room, on paper too. @param {Charts} charts */
function startSizes(charts) {
  const fit = () =>
    charts.forEach(({ u, element }) => {
      const width = element.clientWidth;
      if (width > 0 && Math.abs(width - u.width) > 1) u.setSize({ width, height: HEIGHT });
    });
  new ResizeObserver(fit).observe(document.body);
}

/** Paper is light, and shows what is folded away. @param {Charts} charts */
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
