import type { ExternalChange } from '../change/external-change';
import type { Change } from '../base/types';
import type { Settings } from '../change/types';
import type { Facts } from '../server/pure/types';
import type { EndKind } from './early-end';
import type { TrialVerdict } from './pure/compare';
import type { Expected } from '../sizing/expected';
import type { Block } from './pure/figures';
import type { Limits } from './pure/guardrail';
import type { TrialMetric } from './pure/figures';
import type { GoingDown } from './pure/ramp-estimate';
import type { SwitchCost } from './pure/switch-cost';
import type { TrialJudgement } from './pure/types';
import type { Step as SearchStep } from './search';

export interface Search {
  facts: Facts;
  /** Of the server before the first trial, which all trials are for. */
  settingsBefore: Settings;
  metric: TrialMetric;
  guardrail: Partial<Limits>;
  endsAtMs: number;
  path: SearchStep[];
  ended: TrialData['ended'] | 'time' | 'refused' | 'failed';
  /** The error of what failed. */
  endedBecause: string | null;
  /** What to type, where the trial that failed may have left something in effect. */
  undoOfLast?: string | null;
}

export interface TrialData {
  id: string | null;
  at: Date;
  host: string | null;
  version: string | null;
  dryRun: boolean;
  metric: TrialMetric;
  a: Change;
  b: Change;
  /** Null where it is only shown. */
  verdict: TrialVerdict | null;
  /** B ÷ A of `metric`, with its interval. */
  ratio: number | null;
  low: number | null;
  high: number | null;
  because: string | null;
  /** What B was expected to do to the throughput, from A's first seconds; null: not known. */
  expected: Expected | null;
  moreBlocks: number | null;
  effects: TrialJudgement['effects'];
  blocks: Block[];
  /** The settings of the blocks. */
  order: string;
  pairs: number;
  /** All it took, or would take. */
  seconds: number;
  longestSeconds: number | null;
  blockSeconds: number;
  keep: 'if-better' | 'never';
  kept: boolean;
  effective: 'A' | 'B' | null;
  verified: boolean | null;
  ended: 'complete' | EndKind | null;
  guardrail: {
    limits: Limits | null;
    given: Partial<Limits>;
    broken: {
      what: string;
      kind: string | null;
      value: number | null;
      limit: number | null;
      backMs: number | null;
      recovered: boolean | null;
    } | null;
  };
  /** What another session set while a switch was on its way. */
  externalChanges: ExternalChange[];
  /** What is known of the switches to a smaller cache or a lower trigger before they are made. */
  rampEstimate: GoingDown[];
  /** What all switches did to the clients, beside the measured seconds. */
  switchCost: SwitchCost;
  commands: ReturnType<typeof import('../change/pure/steps').commandsOf>;
  warnings: string[];
  notes: string[];
  conf: string | null;
  undo: string | null;
  confirm: string | null;
}
