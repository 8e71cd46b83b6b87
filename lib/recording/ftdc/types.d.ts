import type { Skipped } from './recording';

export interface Account {
  /** Decoded. */
  chunks: number;
  /** Could not be. */
  skipped: Skipped;
  /** No documents at all. */
  damagedBytes: number;
  /** Documents of later servers. */
  unknown: number;
  /** Files that the server has removed meanwhile. */
  gone: number;
  /** Samples that were there before. */
  repeated: number;
  /** Names of servers, the first few. */
  hosts: string[];
  /** Where the first and the last chunk begin, wanted or not. */
  fromMs: number;
  toMs: number;
}
