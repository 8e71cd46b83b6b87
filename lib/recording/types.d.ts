export interface Account {
  lines: number;
  /** Lines that are no server status. */
  garbled: number;
  /** Why the rest cannot be unpacked. */
  damage: string | null;
  /** Format of a later release of tune. */
  newer: number | null;
  /** Lines that are there twice. */
  repeated: number;
  /** Of other servers than the first. */
  others: { hosts: string[]; lines: number };
  /** What there is, wanted or not. */
  fromMs: number;
  toMs: number;
}
