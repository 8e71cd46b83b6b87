import type { Phase } from '../state';
import type { Facts } from '../../server/pure/types';
import type { SeenView } from './dependents';
import type {
  By,
  CustomRole,
  IndexSpec,
  Load,
  Mode,
  Part,
  Privilege,
  Remark,
  Stream,
  User,
} from './definitions';
import type { Verified } from './split-text';

export interface Asked {
  id: string;
  at: Date;
  from: string;
  into: string[];
  /** Of the collections to move; null: those that balance it. */
  names: string[] | null;
  by: By | null;
  seconds: number;
  /** Of copying; null: the better one. */
  method?: 'out' | 'ranges' | null;
}

export interface Move {
  /** As into, a namespace. */
  ns: string;
  into: string;
  uuid: string | null;
  /** Of the documents, not compressed. */
  bytes: number | null;
  documents: number | null;
  indexBytes: number | null;
  /** To its files, indexes too. */
  writtenBytesPerSec: number | null;
  method: 'out' | 'ranges';
  why: string;
  estimateSeconds: { copy: number | null; indexes: number | null; total: number | null };
  diskBytes: number | null;
  blockers: Remark[];
  warnings: Remark[];
}

export interface SplitPlan {
  id: string;
  at: Date;
  host: string | null;
  version: string | null;
  from: string;
  into: string[];
  worthIt: 'yes' | 'no' | 'unknown';
  because: string;
  mode: Mode;
  moves: Move[];
  stays: { ns: string; because: string }[];
  loads: Load[];
  balancedBy: 'written' | 'bytes';
  by: By | null;
  parts: Part[];
  /** A function that an application asks for the part. */
  route: string | null;
  /** Those that can be made again where all they read is moved. */
  views: { ns: string; into: string }[];
  blockers: Remark[];
  warnings: Remark[];
  unknown: string[];
  seconds: number;
  estimateSeconds: number | null;
  diskBytes: number | null;
}

/** `options`, `indexes` null: this user may not see them. */
export interface SeenCollection {
  ns: string;
  database: string;
  name: string;
  type: string;
  uuid: string | null;
  options: Record<string, any> | null;
  indexes: IndexSpec[] | null;
  documents: number | null;
  bytes: number | null;
  storageBytes: number | null;
  indexBytes: number | null;
  /** Names of indexes under construction. */
  building: string[] | null;
  capped: boolean | null;
  sharded: boolean | null;
  writtenBytesPerSec: number | null;
}

/** What is null is not known. */
export interface Surroundings {
  host: string | null;
  version: string | null;
  role: Facts['role'];
  compatibility: string | null;
  shardServer: boolean | null;
  directoryPerDB: boolean | null;
  handles: number | null;
  freeBytes: number | null;
  /** The member whose disk has least room. */
  freeOn?: string | null;
  /** Members whose disks are not known. */
  unseenDisks?: string[];
  /** Null on a standalone, too. */
  oplog: { maxBytes: number | null; bytesPerSec: number | null; seconds: number } | null;
  /** Of clients, to any collection. */
  writesPerSec: number | null;
  writesBlocked: boolean | null;
  committedReads: boolean | null;
  databases: string[] | null;
  /** Names in the target databases. */
  taken: Record<string, string[] | null>;
  /** Views there. */
  views?: Record<string, SeenView[] | null>;
  users: User[] | null;
  roles: CustomRole[] | null;
  streams: Stream[] | null;
  transactions: { open: number; longestSeconds: number } | null;
  privileges: Privilege[] | 'all' | null;
}

export interface Row {
  id: string;
  /** That means this collection alone. */
  ownId: string;
  from: string;
  into: string;
  phase: Phase;
  mode: string;
  method: string;
  documents: number;
  copied: number;
  changesApplied: number;
  pendingConflicts: number;
  since: Date;
  history: { phase: Phase; at: Date }[];
  renamedTo: string;
  stagingName: string;
  verified: Verified | null;
  broughtOverAt?: Date | null;
  readUntil?: Date | null;
  oplogFrom?: Date | null;
  throttledMs?: number;
  blocked?: boolean;
  /** Whether both names are blocked is not known. */
  namesUnknown?: boolean;
  open?: { ns: string; isFree: boolean; otherSplit?: string; kind?: 'view' | 'time series' }[];
  viewInPlace?: boolean | null;
  nameTaken?: boolean | null;
  blockCall?: string | null;
  /** Why no view can have the name. */
  blockRefused?: string | null;
  /** For the collection of others that has the name that is to be blocked. */
  renameTo?: string | null;
  /** A collection of the split itself has that name. */
  ownData?: boolean;
  /** A time series has it, which cannot be renamed. */
  isSeries?: boolean;
  /** The definition of the view of another user that has that name. */
  otherView?: string | null;
  /** That the name belongs to by now. */
  otherSplit?: string | null;
  /** The later split that moved the source of one that was rolled back. */
  movedBy?: string | null;
  /** Of the collection that takes the writes. */
  renamedAs?: string | null;
  /** What has the name of the collection that takes the writes, where that is not there. */
  activeHas?: 'collection' | 'view' | null;
  /** Gives that collection its name back. */
  renameCall?: string | null;
  /** Keep the last copy under another name, so that a finish drops nothing. */
  keepCalls?: string[];
  /** Others have dropped the collection that follows: the copy, or the old data. */
  copyGone?: boolean;
  /** Which name others have given it. */
  copyRenamedAs?: string;
  /** Others opened the other name before it had all writes; `both`: both names take writes. */
  endedEarly?: 'copy' | 'both';
  /** The other name has its collection behind the last writes, and that is not saved yet. */
  unsaved?: boolean;
  /** It has all writes: the next command needs no comparison. */
  isWhole?: boolean;
  /** How the name that a collection is to get back becomes free. */
  freeFirst?: string;
  /** Gives it its name back. */
  copyCall?: string | null;
  /** So that what still reads it refuses. */
  closeCalls?: string[];
  /** Which collection others have dropped. */
  gone?: 'source' | 'target' | null;
  /** What takes disk until it is dropped. */
  kept?: string | null;
  reads?: 'refused' | 'view';
  cutAt?: Date | null;
  heldBy: { who: string; until: Date } | null;
  next: string | null;
  nextBack: string | null;
  does: string[] | null;
}
