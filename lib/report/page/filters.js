'use strict';

/** Rows of a table by their status and by text. */

/** @param {Element} bar */
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
