import type { ShownStep } from './change-text';
import type { MemberGroup, TrialPlan, TrialResult, Writer } from './journal';
import type { Run } from '../../server/types';
import type { Known } from './timeline';
import type { Change } from '../../base/types';

export interface Changed {
  id: string | null;
  host: string | null;
  dryRun: boolean;
  change: Change;
  steps: readonly ShownStep[];
  rampCommands: readonly string[];
  before: Change;
  after: Change | null;
  verified: boolean | null;
  warnings: readonly string[];
  conf: string | null;
  lostAtRestart: boolean;
  atNextStart?: boolean;
  undo: string | null;
  confirm: string | null;
  action?: string;
}

export interface ShownEntry {
  id: string;
  at: string;
  host: string | null;
  change: Change;
  action: string;
  undoes: string | null;
  outcome: string;
  undo: string | null;
  ticket?: string | null;
  result?: TrialResult | null;
}

export interface Intent {
  kind: 'intent';
  /** Of the journal; absent: 1. */
  format?: number;
  id: string;
  at: string;
  /** By the server's clock. */
  atMs: number;
  action: 'apply' | 'undo' | 'trial';
  undoes: string | null;
  host: string | null;
  version: string | null;
  run: Run;
  change: Change;
  /** The knobs of the change as they were, as configured. */
  before: Change;
  /** The configuration strings in the order they are sent. */
  commands: string[];
  /** When the reading of the settings began, by the server's clock: what was set later may be unknown. */
  readFromMs?: number;
  /** What the server might use; absent in older journals, null: not known. */
  memoryBytes?: number | null;
  /** What getParameter showed. */
  was: string | null;
  /** All that had been set at run time before, null where that was not known. */
  known?: Known[] | null;
  /** The newest string in the server's log when this was planned, null where there was none yet. */
  logged?: { atMs: number; config: string } | null;
  /** The process of the shell that did it, and `writer` where it ran. */
  writerPid?: number;
  writer?: Writer;
  trial?: TrialPlan;
  group?: MemberGroup;
  /** Begun with { force: true }: another shell that was changing this server has to stop. */
  force?: boolean;
  /** A call of what this undoes may still arrive, so that it is not over yet. */
  unsettled?: boolean;
  /** What the server's log shows beside each command of the call. */
  comment?: string;
  /** The ticket that was given with `confirm`. */
  ticket?: string;
}

/** What we sent, by the server's clock just before it was asked. */
export interface Send {
  atMs: number;
  config: string;
  /** The last string before. */
  was: string | null;
  id: string;
  /** The server said that it accepted it. */
  sure: boolean;
  /** It was in force, and sent once more. */
  again?: boolean;
  /** With the first of an entry, all that had been set before it, where that was known. */
  known?: readonly Known[] | null;
  /** When the reading of `known` began. */
  knownAtMs?: number;
  /** The newest line that the log had then, null where that is not known. */
  knownLine?: { atMs: number; config: string } | null;
  /** No answer came, and another session set something: `was` is what the plan knew. */
  isGuessed?: boolean;
  answeredAtMs?: number;
}
