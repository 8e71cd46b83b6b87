import type { Data } from './data';
import type { Settings, Workload } from './load/workloads/operations';

export interface BenchPlan {
  workload: Workload;
  records: number;
  seconds: number;
  warmSeconds: number;
  threads: number | 'auto';
  processes: number | 'auto';
  ratePerSec: number | null;
  database: string;
  settings: Settings;
  keepData: boolean;
  confirm: boolean;
  force: boolean;
  /** The options as they were given. */
  given: Record<string, unknown>;
}

export interface Target {
  host: string | null;
  version: string | null;
  role: string | null;
  cores: number | null;
  freeBytes: number | null;
  needBytes: number;
  otherClientsPerSec: number | null;
  data: Data;
  notes: string[];
}

export interface MeasuredStep {
  kind: 'baseline' | 'step';
  name: string;
  number: number;
  took: boolean;
  why: string | null;
  hostSteps: number;
  opsPerSec: number;
  p50Ms: number | null;
  p95Ms: number | null;
  p99Ms: number | null;
  stalls: number | null;
  serverCores: number | null;
}
