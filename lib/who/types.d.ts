/** Fields of a query that an index could serve; names only, never values. */
export interface QueryFields {
  /** Compared with one value, or one of a list. */
  equal: string[];
  range: string[];
  sort: [string, 1 | -1][];
  /** All of the filter is in the fields above. */
  isWhole: boolean;
}

/** A command without its values. */
export interface Shape {
  /** `find`, `aggregate`, `update`, `insert`, … */
  kind: string;
  /** As it is shown: every literal is `?`. */
  text: string;
  fields: QueryFields | null;
}

/** One operation: whole, as the slow log or the profiler has it. null: not reported. */
export interface LoggedOperation {
  shape: Shape;
  ns: string;
  app: string | null;
  task: string | null;
  /** Its thread, as the log calls it. */
  thread: string;
  /** The wrapper of single writes that are logged by themselves, too. */
  isWrapper: boolean;
  endMs: number;
  ms: number;
  readMs: number;
  cacheMs: number;
  majorityMs: number;
  /** Until it had its tickets (8.0+). */
  queuedMs: number;
  /** All its waits for the engine are known; not those of the single writes of a command. */
  isAccounted: boolean;
  readBytes: number;
  examined: number | null;
  /** Returned or written. */
  returned: number | null;
  plan: string | null;
  usedDisk: boolean;
  writeConflicts: number;
}

/** One operation that was in the server at a sample. */
export interface ActiveOperation {
  shape: Shape;
  ns: string;
  app: string | null;
  task: string | null;
  opid: string;
  plan: string | null;
  /** For a lock, or in a queue for tickets (8.0+). */
  isWaiting: boolean;
  /** Index builds: 0 to 1. */
  progressRatio: number | null;
  writeConflicts: number;
}

/** All that was seen of one shape, namespace and application, or of one task of the server. */
export interface Group {
  kind: 'operation' | 'task';
  task: string | null;
  shape: string;
  operation: string;
  ns: string;
  app: string | null;
  fields: QueryFields | null;
  /** Operations that were logged, and what they say of themselves, within the window. */
  logged: number;
  loggedSeconds: number;
  /** Of these, in queues for tickets. */
  queuedSeconds: number;
  /** Of these, those whose waits are known, without queues. */
  accountedSeconds: number;
  readSeconds: number;
  cacheSeconds: number;
  majoritySeconds: number;
  readBytes: number;
  examined: number;
  returned: number;
  /** By samples of the operations in the server. */
  sampledSeconds: number;
  waitingSeconds: number;
  plan: string | null;
  usedDisk: boolean;
  writeConflicts: number;
  progressRatio: number | null;
}

/** What the engine itself counted over the window, seconds of threads; null: not reported. */
export interface Totals {
  reading: number | null;
  eviction: number | null;
  throttled: number | null;
  majority: number | null;
  queued: number | null;
  /** Of mongod, where CPUs are the limit; else 0. */
  cpu: number | null;
}
export type Resource = keyof Totals;

/** Wait time of one resource, seconds of threads. */
export type Lost = { [resource in Resource]: number };
