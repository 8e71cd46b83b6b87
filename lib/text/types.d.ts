/** Milliseconds since 1970. */
export interface Span {
  fromMs: number;
  toMs: number;
}

/** Over all samples, before downsampling. */
export interface Summary {
  min: number;
  mean: number;
  max: number;
}

/** What charts are drawn of, whatever the source. */
export interface ChartData {
  /** Milliseconds since 1970, or since the beginning; rising. */
  at: number[];
  /** A series without a known value is absent. */
  series: Record<string, (number | null)[]>;
  /** Of each series. */
  summary: Record<string, Summary>;
  /** Targets, triggers and totals. */
  levels: Record<string, number>;
  /** How a level is known, where that is to be said: `default`, `at start`, or `since 03:10:00`. */
  levelNotes?: Record<string, string>;
  /** null: not known. */
  checkpoints: Span[] | null;
  /** null: not known. */
  stalls: Span[] | null;
  /** Gaps and restarts. */
  breaks: (Span & { kind: string })[];
  /** Of a trial, with the means of each series where they are known. */
  blocks: (Span & { setting: string; means?: Record<string, number> })[];
  /** Of an incident: its chain, numbered as the page lists it. */
  events?: (Span & { label: string })[];
  /** The same time of another day, to be drawn beside it. */
  beside?: ChartData;
  /** Before downsampling. */
  sampleCount: number;
  /** Number of buckets; null: nothing was merged. */
  downsampledTo: number | null;
}

/** Of at most so many buckets. */
export type ChartSource = (max: number) => ChartData;
