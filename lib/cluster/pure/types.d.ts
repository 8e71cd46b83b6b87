import type { Finding, Status } from '../../base/pure/finding';
import type { State } from './fleet-rows';
import type { Change } from '../../base/types';

export interface Row {
  name: string;
  tags: Readonly<Record<string, string>>;
  state: State;
  /** The gravest finding's, `unknown` where nobody could look. */
  status: Status;
  host: string | null;
  version: string | null;
  role: string | null;
  bottleneck: string | null;
  because: string | null;
  /** Those that need a person. */
  findings: Pick<Finding, 'rule' | 'area' | 'status' | 'code' | 'values' | 'message' | 'advice'>[];
  change: Change | null;
  cache: Record<string, number | null> | null;
  clients: Record<string, number | null> | null;
  ops: Record<string, number | null> | null;
  /** What it took. */
  seconds: number;
  notes: string[];
  error: { code: string | null; why: string; message: string } | null;
}

export interface MemberChange {
  member: string;
  role: string;
  change: Change;
  before: Change;
  after: Change | null;
  commands: readonly { wiredTigerEngineRuntimeConfig: string }[];
  steps: readonly { kind: string }[];
  warnings: readonly string[];
  verified: boolean | null;
  conf: string | null;
  lostAtRestart: boolean;
}

export interface Group {
  id: string | null;
  action: 'apply' | 'undo';
  undoes: string | null;
  dryRun: boolean;
  members: readonly MemberChange[];
  verified: boolean | null;
  warnings: readonly string[];
  undo: string | null;
  confirm: string | null;
}
