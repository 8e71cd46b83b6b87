import type { Settings } from '../workloads/operations';

export interface Order {
  workload: string;
  database: string;
  lanes: number;
  records: number;
  worker: number;
  workers: number;
  insertFrom: number;
  settings: Settings;
  /** Of this worker. */
  ratePerSec: number | null;
  /** When to begin, ms since 1970, the same for all workers. */
  atMs: number;
  warmMs: number;
  ms: number;
}
