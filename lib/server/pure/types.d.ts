import type { Row } from './replica-set';
import type { Config } from '../../config/types';

/**
 * Bytes read: from disk into the cache; written: from the cache to disk, by eviction and checkpoints.
 * Operations are counted by collection only, one for a whole insertMany; null: not known.
 */
export interface Row {
  ns: string;
  kind: 'collection' | 'index';
  index: string | null;
  cacheBytes: number | null;
  dirtyBytes: number | null;
  readBytesPerSec: number | null;
  writtenBytesPerSec: number | null;
  readOpsPerSec: number | null;
  writeOpsPerSec: number | null;
  storageBytes: number | null;
  /** Free inside the file: later inserts use it, the disk does not get it back. */
  reusableBytes: number | null;
  /** Of an index: how often queries used it since, on this member. */
  uses: number | null;
  usesSince: Date | null;
  /** Why it is needed though no query uses it. */
  keeps: '_id' | 'unique' | 'ttl' | null;
  documents: number | null;
  capped: boolean | null;
}

export interface Facts {
  host: string | null;
  version: string | null;
  role: 'standalone' | 'primary' | 'secondary' | 'arbiter' | 'mongos' | 'other' | null;
  engine: string | null;
  pid: number | null;
  /** Ms since 1970. */
  startedAtMs: number | null;
  /** As hostInfo calls it, such as Linux or Windows. */
  osType: string | null;
  /** RAM of the host. */
  memoryBytes: number | null;
  /** What the server may use (container limit, else RAM). */
  memLimitBytes: number | null;
  /** On which it may run, as hostInfo tells. */
  cores: number | null;
  dataBytes: number | null;
  dbPath: string | null;
  /** The time of fewer, by a quota. */
  coresAllowed: number | null;
  /** All there are, where they are known to be more. */
  machineCores: number | null;
  /** On which dbPath lies, as the kernel calls them. */
  disks: readonly string[] | null;
  /** Of unwritten data at which the kernel stops writers. */
  dirtyLimitBytes: number | null;
  /** JournalCommitInterval in force. */
  journalCommitMs: number | null;
  /** Sessions of WiredTiger at most, where that is known. */
  sessionMax: number | null;
  /** By how much dirty and updates triggers are soft (cache_tolerance_for_app_eviction), where it is known. */
  toleranceRatio: number | null;
  /** What start-up parameters make of the pools of tickets; null within: nothing. */
  ticketsAtStart: { read: number | null; write: number | null } | null;
  config: Config | null;
}

/** One member. */
export interface Place {
  /** As the set calls it. */
  host: string;
  set: string | null;
  shard: string | null;
  /** `standalone`, `primary`, `secondary`, `arbiter`, `down`, or another state of replSetGetStatus in small letters. */
  role: string;
  /** As the set sees it. */
  isUp: boolean | null;
  isArbiter: boolean;
  isHidden: boolean | null;
  delaySeconds: number | null;
  votes: number | null;
  priority: number | null;
  optimeMs: number | null;
  /** Behind the newest write of the set, null where that is not told. */
  lagSeconds: number | null;
  /** What the last heartbeat told of it. null is not known. */
  said: string | null;
}

export interface SetPlace {
  name: string | null;
  shard: string | null;
  /** The member that was asked. */
  self: string | null;
  members: Place[];
  /** The newest write that any member has. */
  newestMs: number | null;
  /** What the majority has. */
  committedMs: number | null;
  /** How many votes that takes. */
  majority: number | null;
  /** How often members hear of each other. */
  heartbeatMs: number;
  notes: string[];
  /** Which no other set has, null where it may not be read. */
  setId?: string | null;
  /** Of its configuration. */
  setVersion?: number | null;
  /** Hidden ones are not told to this user. */
  hidesMembers?: boolean;
  /** Of the mongos that it was found through, null where it may not be read. */
  clusterId?: string | null;
}

/** A set with what was seen at each member. */
export type SetView = Omit<SetPlace, 'members' | 'notes'> & { rows: readonly Row[] };
