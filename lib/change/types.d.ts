import type { Entry } from './pure/journal';
import type { Run } from '../server/types';
import type { TimelineEvent } from './pure/timeline';
import type { Config, Drift } from '../config/effective-config';
import type { Counters } from '../server/pure/counters';
import type { EngineHistory } from '../server/types';
import type { Done } from './apply-plan';
import type { ExternalChange } from './external-change';
import type { Planned } from './plan-change';
import type { MemberGroup, JournalLine, TrialPlan } from './pure/journal';
import type { Step } from './pure/steps';
import type { Change } from '../base/types';

/** The settings in force of one run of a server, and where each comes from. */
export interface Settings {
  config: Config;
  /** As a restart would set them. */
  startValues: Change | null;
  /** Why the values of the start are not known, though the options are. */
  startDoubt?: string | null;
  drift: Drift[];
  notes: string[];
  /** Nothing can have been set at run time that is not known here. */
  complete: boolean;
  timeline: TimelineEvent[];
  history: EngineHistory;
  /** At the end of each string of a change, so that it is not one that the log has forgotten. */
  blanks?: number;
  entries: Entry[];
  run: Run & { version: string | null; clockMs: number | null };
  /** What it may use: RAM, or the limit of its container or control group. */
  memoryBytes: number | null;
  /** Without the limit that mongod does not know: what an undo is checked by. */
  reportedMemoryBytes?: number | null;
  live: Counters;
  /** When reading began and when it ended, by the server's clock. */
  readFromMs?: number;
  readAtMs?: number;
}

export interface Outcome {
  settings: Settings;
  planned: Planned;
  asked: Change;
  confirm: boolean;
  done: Done | null;
  after: Settings | null;
  confirmCall: string;
  force?: boolean;
  /** It is an undo, which is no change to undo by its place. */
  isUndo?: boolean;
  /** What it undoes was made by force. */
  wasForced?: boolean;
}

export interface ChangeData {
  id: string | null;
  host: string | null;
  dryRun: boolean;
  change: Change;
  /** As they go to admin, in this order. */
  commands: { setParameter: 1; wiredTigerEngineRuntimeConfig: string }[];
  steps: Step[];
  /** Strings sent beside them, where the load held the level up. */
  rampCommands: string[];
  before: Change;
  after: Change | null;
  /** Everything that this server lets read back is as sent. */
  verified: boolean | null;
  warnings: string[];
  /** What another session set after this was planned. */
  externalChanges: ExternalChange[];
  /** Lines of mongod.conf that keep it; null: mongod would not start with them. */
  conf: string | null;
  /** Something of it is in force, or would be, until a restart. */
  lostAtRestart: boolean;
  /** Something of it counts from there on. */
  atNextStart: boolean;
  /** What to type. */
  undo: string | null;
  /** What to type. */
  confirm: string | null;
}

export interface Plan {
  action: 'apply' | 'undo' | 'trial';
  undoes: string | null;
  change: Change;
  before: Change;
  steps: Step[];
  trial?: TrialPlan;
  group?: MemberGroup;
  force?: boolean;
  unsettled?: boolean;
  /** An undo by the shell that changes the members of a set: it reverts its own changes. */
  isOwnWayBack?: boolean;
  /** Gets what is written into the journal, for whoever must not depend on the file. */
  journalCopy?: JournalLine[];
  /** A member that has become the primary is not changed. */
  onlySecondary?: boolean;
}
