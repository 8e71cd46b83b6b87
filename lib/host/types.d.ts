import type { RecordedSample } from './host-file';

export interface Identity {
  host: string | null;
  /** Without the port. */
  hostname: string | null;
  version: string | null;
  pid: number | null;
  startedAtMs: number | null;
  memorySizeMB: number | null;
  /** Of its machine, seconds since 1970. */
  bootAtSeconds: number | null;
  port: number | null;
  dbPath: string | null;
  cacheBytes: number | null;
  /** Where it sees our connection come from. */
  client: string | null;
}

export interface DiskCounters {
  numbers: string;
  name: string;
  reads: number;
  readBytes: number;
  readMs: number;
  writes: number;
  writtenBytes: number;
  writeMs: number;
  /** At least one request was under way. */
  busyMs: number;
  /** Of all requests together. */
  waitingMs: number;
}

export interface HostDocument {
  format: 'mongosh-tune host';
  version: 1;
  pid: number | null;
  dbPath: string | null;
  port: number | null;
  host?: string;
  /** Empty where it is not known. */
  serverVersion?: string;
  cacheBytes?: number | null;
  snapshots: RecordedSample[];
  links: Record<string, string>;
  commands: Record<string, string>;
  /** Path or command → why it is not there. */
  failed?: Record<string, string>;
}
