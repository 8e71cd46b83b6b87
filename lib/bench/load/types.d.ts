import type { Latency, OfKind, Second } from './workers';
import type { Stalls } from './worker/recorder';

/** `busyRatio`: of the busiest worker. */
export interface Merged {
  opsPerSec: number;
  ops: number;
  /** Null where nothing ended. */
  latencyMs: Latency | null;
  /** Null where too few operations were done to tell. */
  stalls: Stalls | null;
  perSecond: Second[];
  operations: Record<string, OfKind>;
  errors: { count: number; byCode: { code: number | string; count: number; message: string }[] };
  notFound: number;
  /** Their moment came, but no thread was free until the end. */
  notStarted: number;
  client: { cpuCores: number; busyRatio: number };
}
