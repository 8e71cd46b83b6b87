import type { FoundDefect } from './pure/defects';

export interface DefectsData {
  at: Date;
  host: string | null;
  role: string | null;
  version: string | null;
  seconds: number;
  /** Known defects of this release whose sign is there, the severest first. */
  found: FoundDefect[];
  /** Tickets of this release whose sign is not there. */
  absent: string[];
  /** Tickets of this release whose sign is not known, with what is missing. */
  undecided: { ticket: string; missing: string[] }[];
  /** The first release of this series without those found, null where that is not known. */
  upgradeTo: string | null;
  /** From when on the log was read, null where it was not. */
  logFrom: Date | null;
  notes: string[];
}
