import type { Member } from '../../../cluster/member-status';
import type { Point } from './charts';
import type { Ui } from './keys';
import type { Counters } from '../../../server/pure/counters';
import type { Metrics } from '../../../server/pure/metrics';
import type { Status } from '../../../server/pure/status';

export interface Chart {
  label: string;
  of(metrics: Metrics, counters: Counters): number | undefined;
  show(value: number | undefined): string;
  /** Value of a full bar, where it is not the maximum. */
  top?: number;
  /** A full bar is at least this. */
  min?: number;
  /** Something that is the case or not. */
  isMark?: true;
  /** Application threads blocked. */
  isLoss?: true;
  help: string;
}

export interface View {
  host: string | null;
  version: string | null;
  role: string | null;
  nowMs: number;
  state: { kind: 'live' } | { kind: 'paused' | 'lost' | 'silent'; sinceMs: number };
  /** Shown instead of the bottleneck. */
  message: string | null;
  ui: Ui;
  status: Status | null;
  points: readonly Point[];
  /** Null until there is one. */
  verdict: { bottleneck: string; because: string } | null;
  members: readonly Member[];
  shownHost: string | null;
  /** The newest last. */
  events: readonly { atMs: number; text: string }[];
}
