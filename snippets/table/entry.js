'use strict';

/**
 * @import { DataContext } from '../../lib/base/context'
 */

/**
 * One command as the table has it.
 *
 * @typedef {{ name: string, description: string, flag?: true }} OptionHelp `flag`: yes or no
 * @typedef {{
 *   load(): (ctx: DataContext, ...args: any[]) => unknown,
 *   takes: readonly ('text' | 'change' | 'options')[], usage: string, help: string, more?: string,
 *   options: readonly OptionHelp[], examples: readonly string[], changes: boolean,
 *   shownBy?: string, endsByInterrupt?: true, words?: () => readonly string[],
 *   commands?: Readonly<Record<string, Entry>>
 * }} Entry `takes`: its parameters in order; `changes`: it can change the server; `shownBy`: what
 *   to type to see what became of that (tune.history()); `endsByInterrupt`: Ctrl-C is its ordinary
 *   end;
 *   `words`: what TAB offers behind its name; `commands`: those below it, `tune.host.collect()`
 */

const CONFIRM = Object.freeze({
  name: 'confirm',
  flag: /** @type {const} */ (true),
  description: 'true does it; without it only what would be sent is shown (false)',
});
const FORCE = Object.freeze({
  name: 'force',
  flag: /** @type {const} */ (true),
  description: 'go on although it looks unsafe, or others changed it (false)',
});

module.exports = { CONFIRM, FORCE };
