import type { Reads } from './directions';
import type { Id } from './ids';
import type { SplitJob } from './split-job';
import type { Phase, Ttl } from './state';

/** The driver's classes. */
export interface Types {
  Double: any;
  Int32: any;
  Decimal128: any;
  ObjectId: any;
  Binary: any;
  BSONRegExp: any;
  /** Null on a standalone server. */
  Timestamp: any;
  /** A value that is only equal, such as a string to a symbol, is not enough. */
  exact?: boolean;
}

export interface Running {
  opid: unknown;
  op?: string;
  ns?: string;
  desc?: string;
  waitingForLock?: boolean;
  numYields?: number;
  command?: Record<string, any>;
  locks?: Record<string, string>;
  lsid?: { id: any };
}

export interface SplitCommand {
  name: string;
  /** In which it can be done. */
  phases: readonly Phase[];
  isAllowed?(split: Split): boolean;
  /** What it would do, in sentences. */
  preview(split: Split): string[] | Promise<string[]>;
  /** What stands in its way now. */
  obstacles?(split: Split): Promise<string[]>;
  run(job: SplitJob): Promise<void>;
  /**
   * Whether another process goes on where this one dies; `where possible`: for what is cut off
   * already, which must not wait for one.
   */
  guardian?: 'required' | 'where possible' | 'none';
  /** Until it is written down a guardian would complete what this undoes. */
  undoes?: boolean;
  /** Also where a collection that was to get its name back is gone. */
  allowLost?: boolean;
}

export interface Split {
  _id: string;
  planId: string;
  /** Its plan moves no other collection. */
  alone?: boolean;
  source: string;
  target: string;
  active: boolean;
  phase: Phase;
  mode: 'online' | 'offline';
  method: 'out' | 'ranges';
  from: { db: string; name: string; renamedTo: string };
  into: { db: string; name: string; stagingName: string };
  sourceUuid: any;
  stagingUuid: any;
  options: Record<string, any>;
  indexes: any[];
  documents: number;
  /** By the server's clock. */
  begunAt?: Date;
  startAt: any;
  token: any;
  reverseStartAt: any;
  reverseToken: any;
  copiedTo: any;
  pendingConflicts: any[];
  /** Grows with each saving. */
  revision: number;
  /** Of the last step that was sent; `ns`: the name that was to get its collection. */
  permit: { id: string; session: unknown; ns?: string | null } | null;
  /** How often a staging copy got another name. */
  renamed: number;
  /** The names it had, which what is late still writes to. */
  formerNames: string[];
  /**
   * Cuts that tune undid: renames to this name until then are theirs. `passed`: that rename was read,
   * and the one back was not.
   */
  undoneCuts?: { name: string; until: any; passed?: boolean }[];
  /** What expires on its own, by direction, while it is switched off in the old data. */
  ttl: { forward: Ttl[]; reverse: Ttl[] };
  /** A name that is to answer again, and what the collection is called until then. */
  reopened?: { way: 'forward' | 'reverse'; name: string } | null;
  copied: number;
  reconciled: number;
  /** The target of an aborted split goes on refusing until finish. */
  refuses?: boolean;
  /** Its copy stays. */
  kept?: boolean;
  /** What another session had dropped when it was aborted or rolled back. */
  gone?: 'source' | 'target' | null;
  /** What one of both sides lacks is not known until everything is compared. */
  needsFullCompare?: boolean;
  throttledMs?: number;
  appliedAt?: Date | null;
  /** All writes until then were read from the oplog. */
  readUntil?: Date | null;
  history: { phase: Phase; at: Date }[];
  verified: any;
  reads?: Reads;
  lease: {
    owner: string;
    who: string;
    process: string | null;
    until: Date;
    after?: string | null;
  } | null;
}

export interface Batch {
  ids: Id[];
  /** Ids with a delete among their events. */
  gone: Id[];
  /** Of the ids. */
  bytes: number;
  /** Of the last event. */
  time: any;
  /** Where the stream is behind it. */
  token: any;
  lagMs: number;
  /** There was nothing left. */
  idle: boolean;
  /** The source was cut off. */
  cut: boolean;
  /** It had a name of which no event is read, and may have taken writes there. */
  unseen: boolean;
  /** Those whose mark, or whose rename back, is still ahead. */
  undoneCuts: NonNullable<Split['undoneCuts']>;
}
