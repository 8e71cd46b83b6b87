'use strict';

const COPIED_MS = 1800;

/** @param {string} text for those who listen */
function say(text) {
  /** @type {HTMLElement} */ (document.getElementById('said')).textContent = text;
}

/**
 * From disk there may be no clipboard to write to: then the text is chosen, and the old command
 * copies it.
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
