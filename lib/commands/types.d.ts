import type { Cause } from '../diagnose/cause';
import type { Advice } from '../diagnose/advice';
import type { Status } from '../server/pure/status';
import type { RulePage } from '../rules/types';
import type { Bottleneck } from '../base/pure/finding';
import type { Outcome, TrialResult } from '../change/pure/journal';
import type { Drift } from '../config/drift';
import type { Change } from '../base/types';
import type { Dimension } from '../trial/pure/candidates';
import type { Step } from '../trial/search';

export interface AutoData {
  at: Date;
  host: string | null;
  dryRun: boolean;
  bottleneck: Bottleneck;
  because: string;
  /** Who or what makes the bottleneck; where it is a query, no setting is searched. */
  cause: Cause | null;
  remedy: string | null;
  minutes: number;
  seconds: number;
  metric: string;
  dimensions: Dimension[];
  path: Step[];
  /** What stays of it, null where that is nothing. */
  change: Change | null;
  /** What of it is in effect, null where that is not known. */
  effective: Change | null;
  ended: string | null;
  endedBecause: string | null;
  conf: string | null;
  /** Why there are no lines for mongod.conf. */
  confBecause?: string;
  /** In this order. */
  undo: string[];
  confirm: string | null;
}

export interface DriftData {
  at: Date;
  host: string | null;
  version: string | null;
  file: string | null;
  fileRead: boolean;
  /** The other members that answered. */
  comparedWith: string[];
  drift: Drift[];
  notes: string[];
  /** 1 where anything has drifted. */
  exitCode: 0 | 1;
}

export type Explanation = { rule: string } & Omit<
  RulePage,
  'id' | 'speaksFor' | 'alongside' | 'about'
>;

/** What tune.explain() says of an error. */
export interface ErrorExplanation {
  code: string;
  name: string;
  meaning: string;
  cause: string;
  todo: string;
}

export interface HistoryEntry {
  id: string;
  at: string;
  host: string | null;
  version: string | null;
  action: 'apply' | 'undo' | 'trial';
  undoes: string | null;
  change: Change;
  before: Change;
  /** As planned. */
  commands: string[];
  /** As the server accepted them, with those on the way down. */
  sent: string[];
  outcome: Outcome | 'ended-by-restart';
  verified: boolean | null;
  reason: string | null;
  /** What a trial measured, and what had been expected; null: it was no trial, or none ended. */
  result: TrialResult | null;
  /** The change of several members it is a part of. */
  group: string | null;
  /** What to type to take it back; null when there is nothing to take back. */
  undo: string | null;
  /** The ticket that was given with `confirm`; null: none. */
  ticket: string | null;
  /** What the server's log shows beside each command of the call; null: not known. */
  comment: string | null;
}

export type DemoStep = 'status' | 'advise' | 'explain' | 'report';

/** What tune answered to the bundled recording; null: another step shows it. */
export interface DemoAnswer {
  status: (Status & { notes: string[] }) | null;
  advice: Advice | null;
  explanation: Explanation | null;
  /** The page that was written. */
  page: { file: string; bytes: number; of: string[]; points: number; sampleCount: number } | null;
}

export interface Demo extends DemoAnswer {
  step: DemoStep;
  /** Where the answer comes from: never from a server that is connected. */
  recording: { host: string | null; version: string | null; from: Date; to: Date };
  /** The line to type next, and what it shows. */
  next: { call: string; shows: string };
}
