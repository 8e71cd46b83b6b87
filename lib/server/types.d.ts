import type { Change } from '../base/types';
import type { Stats } from './collection-stats';
import type { IndexUse } from './collection-stats';
import type { OplogSample } from './oplog';
import type { LoggedSet } from './engine-history';
import type { Use } from './pure/collections';

/** One run of one server. */
export interface Run {
  host: string | null;
  /** What hello tells (4.4+), new at each start. */
  processId: string | null;
  pid: number | null;
  startedAtMs: number | null;
  /** As its replica set calls it; null: in none. */
  me?: string | null;
}

/** By namespace. `refused` by database. */
export interface CollectionSamples {
  first: Map<string, Stats>;
  second: Map<string, Stats>;
  /** Of the collections that are sampled twice. */
  indexUses: Map<string, Record<string, IndexUse>>;
  oplog: { first: OplogSample | null; last: OplogSample | null };
  gone: Set<string>;
  refused: Map<string, { count: number; message: string }>;
  use: Use | null;
  /** How many had something to look at again, but were too many. */
  skipped: number;
  notes: string[];
  asked: number;
  ended: 'complete' | 'interrupted' | 'lost';
  error: Error | null;
}

/** The oplog of this member. */
export interface Oplog {
  maxBytes: number | null;
  dataBytes: number | null;
  /** From its oldest to its newest entry. */
  heldSeconds: number | null;
  bytesPerSec: number | null;
  /** What it holds once it is full, written at this pace. */
  secondsAtPace: number | null;
}

export interface EngineHistory {
  /** As asked for at start. */
  engineConfig: {
    cacheSizeGB: number | null;
    /** Percent of RAM; 8.0.20+ and 8.2+. */
    cacheSizePct?: number | null;
    configString: string | null;
    /** By the parameters of mongod that set them, in bytes. */
    thresholds?: Change;
    /** wiredTigerSessionMax. null: not set. */
    sessionMax?: number | null;
  } | null;
  syncPeriodSecs: number | null;
  configFile: string | null;
  dbPath?: string | null;
  /** What start-up parameters make of the pools of tickets; null within: nothing. */
  ticketsAtStart: { read: number | null; write: number | null } | null;
  /** The whole string WiredTiger was opened with. */
  opened: string | null;
  sets: LoggedSet[];
  /** The log is known from here on. */
  logFromMs: number | null;
  /** It reaches back to the start of the server. */
  logWhole: boolean;
  /** What getParameter shows, which is only the last string accepted. */
  lastString: string | null;
  syncdelay: number | null;
  journalCommitMs: number | null;
  /** What could not be read and why. */
  notes: string[];
  /** The commands that the user may not run. */
  refused: string[];
}
