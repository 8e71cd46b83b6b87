import type { Keeps } from '../server/collection-stats';
import type { Oplog } from '../server/types';

export interface RulePage {
  id: string;
  area: string;
  title: string;
  why: string;
  threshold: string;
  source: string;
  advice: string;
  whenNot: string;
  needs: readonly string[];
  wants: readonly string[];
  speaksFor: readonly string[];
  alongside?: readonly string[];
  thresholds: Readonly<Record<string, number>>;
  /** Ids of rules that became this one. */
  aliases: readonly string[];
  about?: string;
}

/** A file of a collection (`index` null) or of an index. */
export interface FileSpace {
  ns: string;
  index: string | null;
  storageBytes: number;
  reusableBytes: number;
}

export interface IndexCost {
  ns: string;
  index: string;
  uses: number;
  keeps: Keeps | null;
  cacheBytes: number;
  storageBytes: number | null;
  /** For how long uses are counted. */
  countedSeconds: number;
}

/** What rules about collections judge. */
export interface CollectionValues {
  files: readonly FileSpace[];
  indexes: readonly IndexCost[];
  oplog: Oplog;
  cacheMaxBytes: number;
}
export type CollectionValue = keyof CollectionValues;
