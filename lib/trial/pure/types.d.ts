import type { Expected } from '../../sizing/expected';
import type { Cause } from '../../diagnose/cause';
import type { Change } from '../../base/types';
import type { TrialVerdict } from './compare';
import type { Effect } from './judge';
import type { TrialMetric } from './figures';
import type { SearchTrial } from './search-text';
import type { ShownBlock, ShownLimits } from './trial-text';

export interface TrialJudgement {
  verdict: TrialVerdict;
  /** B ÷ A of the metric. */
  ratio: number | null;
  low: number | null;
  high: number | null;
  pairs: number;
  because: string;
  /** How many more would decide, null where that is not known or none would. */
  moreBlocks: number | null;
  notes: string[];
  /** The same of every metric that is known. */
  effects: { [metric in TrialMetric]?: Effect };
}

export interface Searched {
  host: string | null;
  dryRun: boolean;
  bottleneck: string;
  because: string;
  cause?: Cause | null;
  remedy?: string | null;
  minutes: number;
  seconds: number;
  metric: string;
  dimensions: readonly { kind: string; changes: readonly Change[] }[];
  path: readonly SearchTrial[];
  change: Change | null;
  /** What of it is in effect, null where that is not known. */
  effective: Change | null;
  ended: string | null;
  endedBecause: string | null;
  conf: string | null;
  confBecause?: string;
  undo: readonly string[];
  confirm: string | null;
}

export interface Shown {
  host: string | null;
  dryRun: boolean;
  metric: string;
  a: Change;
  b: Change;
  verdict: string | null;
  ratio: number | null;
  low: number | null;
  high: number | null;
  because: string | null;
  expected?: Expected | null;
  moreBlocks: number | null;
  effects: {
    [metric: string]: { ratio: number; low: number | null; high: number | null } | undefined;
  };
  blocks: readonly ShownBlock[];
  order: string;
  pairs: number;
  seconds: number;
  longestSeconds: number | null;
  blockSeconds: number;
  keep: string;
  effective: 'A' | 'B' | null;
  ended?: string | null;
  switchCost?: { say: string | null };
  guardrail: { limits: ShownLimits | null; given: ShownLimits };
  commands: readonly { wiredTigerEngineRuntimeConfig: string }[];
  warnings: readonly string[];
  notes: readonly string[];
  conf: string | null;
  undo: string | null;
  confirm: string | null;
}
