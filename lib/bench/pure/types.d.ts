export interface About {
  workload: string;
  say: string;
  records: number;
  seconds: number;
  warmSeconds: number;
  ratePerSec: number | null;
  database: string;
  host: string | null;
  version: string | null;
}

export interface Server {
  uri: string;
  host: string | null;
  version: string | null;
  files: string | null;
  opsPerSec: number;
  p95Ms: number | null;
  p99Ms: number | null;
  stalls: number | null;
  ratio: number | null;
  low: number | null;
  high: number | null;
  verdict: string;
}

export interface Compared {
  dryRun: boolean;
  workload: string;
  records: number;
  seconds: number;
  warmSeconds: number;
  database: string;
  roundsPlanned: number;
  threads?: number;
  processes?: number;
  servers: Server[];
  confirm?: string;
}

export interface MeasuredStep {
  kind: 'baseline' | 'step';
  name: string;
  number: number;
  took: boolean;
  why: string | null;
  opsPerSec: number | null;
  p95Ms: number | null;
  stalls: number | null;
  ratio: number | null;
  gain: number | null;
  drift: number | null;
}

export interface StepSequence {
  dryRun: boolean;
  host: string | null;
  version: string | null;
  workload: string;
  records: number;
  seconds: number;
  warmSeconds: number;
  database: string;
  steps?: { kind: string; name: string }[];
  keepSteps?: boolean;
  confirm?: string;
  threads?: number;
  processes?: number;
  ended?: string;
  because?: string | null;
  kept?: boolean;
  id?: string | null;
  verified?: boolean | null;
  warnings?: readonly string[];
  measuredSteps?: MeasuredStep[];
}
