import type { ChartData } from '../text/types';
import type { Columns, Discontinuity } from '../series/columns';

export type EventKind =
  | 'process'
  | 'kernel'
  | 'disk'
  | 'election'
  | 'setting'
  | 'index'
  | 'backup'
  | 'ttl'
  | 'checkpoint'
  | 'stall'
  | 'cache'
  | 'load'
  | 'memory'
  | 'slow'
  | 'transaction'
  | 'replication'
  | 'clock'
  | 'log';

/** Values of an event: numbers with their unit in the name, names, or null where not known. */
export type EventValues = Record<string, string | number | boolean | null>;

/** Where an event was read. */
export interface Evidence {
  /** `log`: of mongod; `kernel`: of the machine's kernel; `ftdc`: diagnostic.data; `journal`: of tune. */
  source: 'log' | 'kernel' | 'ftdc' | 'journal';
  /** Name of the file, without its folder. */
  file: string | null;
  /** Of a log line of mongod. */
  id: number | null;
}

/** What was read, before it has a sentence. Times in ms since 1970 by the clock of its source. */
export interface RawEvent {
  code: string;
  fromMs: number;
  /** null: one moment. */
  toMs: number | null;
  /** Of the server; of the kernel's log the machine where it is named. */
  host: string | null;
  /** How many of the kind were merged into this one. */
  count: number;
  values: EventValues;
  evidence: Evidence;
}

/** One event on the line of time. */
export interface IncidentEvent {
  /** Within this answer, such as e12. */
  id: string;
  kind: EventKind;
  /** Such as `disk-full`. */
  code: string;
  at: Date;
  /** null: one moment. */
  to: Date | null;
  host: string | null;
  /** How many of the kind were merged into this one. */
  count: number;
  /** Numbers and names behind the message. */
  values: EventValues;
  message: string;
  evidence: Evidence;
}

/** One link of the chain, the first cause first. */
export interface ChainLink {
  /** Of the event. */
  event: string;
  /** Of the event that led to it; null: the first cause. */
  from: string | null;
  /** From the start of that event to the start of this one. */
  delaySeconds: number | null;
}

/** Servers that were shut down in order, together. */
export interface Shutdown {
  /** Of the first of them. */
  at: Date;
  hosts: string[];
  /** Whether these are all servers that were read. */
  isAll: boolean;
  /** Of the signals and commands. */
  events: string[];
  message: string;
}

/** Events of one kind. */
export interface EventGroup {
  kind: EventKind;
  count: number;
  /** Of the events, in the order of time. */
  events: string[];
}

/** A file that was read. */
export interface IncidentSource {
  kind: 'log' | 'kernel' | 'ftdc' | 'journal';
  file: string;
  /** Server or machine that it is of; null: the file does not say. */
  host: string | null;
  /** What it covers; null: nothing could be read. */
  from: Date | null;
  to: Date | null;
  /** Lines, or samples. */
  read: number;
  /** Lines that could not be read. */
  garbled: number;
}

/** A clock that was measured against another by events that both recorded. */
export interface ClockOffset {
  /** Host, or file of a kernel log. */
  of: string;
  /** What it was compared with. */
  against: string;
  /** It was ahead by so many seconds; its events were moved back by it. */
  aheadSeconds: number;
  /** How many shared events. */
  events: number;
}

/** The same hour of a normal day beside this one. */
export interface ComparedHour {
  from: Date;
  to: Date;
  /** Samples of each. */
  samples: { now: number; normal: number };
  rows: {
    metric: string;
    /** Mean over the time; null: not known. */
    now: number | null;
    normal: number | null;
    /** Of the two means. */
    ratio: number | null;
    maxNow: number | null;
    maxNormal: number | null;
  }[];
}

/** The answer of tune.incident(). */
export interface Incident {
  /** The end of the time that was examined. */
  at: Date | null;
  host: string | null;
  /** All servers that the files are of. */
  hosts: string[];
  version: string | null;
  from: Date | null;
  to: Date | null;
  /** `nothing-unusual`: no sign that clients or the server were affected; `unknown`: nothing to judge. */
  verdict: 'incident' | 'nothing-unusual' | 'unknown';
  /** The conclusion as a sentence. */
  because: string;
  /** null: there is no first cause. */
  confidence: 'high' | 'medium' | 'low' | null;
  /** Why it is no higher, or so high. */
  confidenceBecause: string | null;
  /** Id of the event; null: none. */
  firstCause: string | null;
  /** The first cause and its consequences. */
  chain: ChainLink[];
  /** What that server was when it began, such as PRIMARY; null: not known, or in no set. */
  role: string | null;
  /** When the last event of the chain ended, as far as was read; null: there is no chain. */
  lastSignAt: Date | null;
  /** `shutdown`: the server was shut down then; `end-of-data`: it may have gone on, unread. */
  lastSignIs: 'end' | 'shutdown' | 'end-of-data' | null;
  /** What follows one of these is no consequence of what was wrong before. */
  shutdowns: Shutdown[];
  /** What would show that the first cause is another. */
  refutedBy: string[];
  /** What tune checked already of the first of them, and found; null: nothing that was read can show it. */
  checked: string | null;
  /** What to do next; null: nothing happened. */
  next: string | null;
  /** Other events that could be the first cause, the likeliest first. */
  alternatives: { event: string; explains: number }[];
  groups: EventGroup[];
  events: IncidentEvent[];
  sources: IncidentSource[];
  clocks: ClockOffset[];
  compared: ComparedHour | null;
  notes: string[];
}

/** Features of a server over time, one row each. */
export interface FeatureRows {
  everyMs: number;
  length: number;
  atMs: Float64Array;
  columns: Record<string, Float64Array>;
}

/** What was read of one server's diagnostic data. */
export interface RecordedMember {
  host: string | null;
  version: string | null;
  samples: number;
  fromMs: number;
  toMs: number;
  rows: FeatureRows;
  breaks: Discontinuity[];
  /** For charts: at most so many buckets. */
  chart(max: number): ChartData;
}

export type { Columns };
