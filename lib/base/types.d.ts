import type { Connected, Port, Terminal } from './context';

export type Tone = 'good' | 'bad' | 'warn' | 'faint' | 'strong' | 'accent';
/** Colours a text, where there is colour. */
export type Ink = (text: string, tone: Tone) => string;

/** What a command gets as its first argument. */
export interface Context {
  port: Port;
  /** What this call may do, and what the journal keeps of it; absent where no command runs. */
  call?: {
    begin(options: Record<string, unknown>, name?: string): Promise<void>;
    /** Throws where that command is denied, as a part of this one. */
    judgePart(name: string): void;
    /** The comment of a call that may write; null of any other. */
    readonly writtenAs: string | null;
    /** Rejects where a confirmed call may not change the server of that port. */
    judge(port: Port): Promise<void>;
    /** By what the entry is found in the server's log, and the ticket that was given. */
    readonly ticketLine: string | null;
    /** Why the change that was shown would be refused now; null: it would not, or nothing was shown. */
    refusedNow(): Promise<string | null>;
    readonly journalFields: { comment: string; ticket?: string };
  };
  /** What limits tune here; absent where no command runs. */
  policy?(): { sources: PolicySource[]; places: string[] };
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
  /** The same where `signal` is not: it ends the waiting of a way back alone. */
  interrupt?: AbortSignal;
  /** One line that replaces the one before (null takes it away), shown on a terminal only. */
  progress(text: string | null): void;
  /** Folder for the journal. */
  home: string;
  terminal: Terminal;
  /** For another process to connect as this one is, with its credentials: never to be shown. */
  connection(): Promise<{ uri: string; options: Record<string, unknown> }>;
  /** To another member of the same set, as this connection is. */
  connect(host: string): Promise<Connected>;
  /** To any server by its own connection string, whatever this shell is connected to. */
  reach(uri: string, ms: number): Promise<Connected>;
  /** A connection of another process, held to what this call may do, with its comment. */
  guarded(send: Port['command']): Port;
}

/** What can be changed of the engine, and its interval of checkpoints. */
export type SettingName =
  | 'cacheSizeGB'
  | 'evictionThreadsMin'
  | 'evictionThreadsMax'
  | 'evictionTarget'
  | 'evictionTrigger'
  | 'evictionDirtyTarget'
  | 'evictionDirtyTrigger'
  | 'evictionUpdatesTarget'
  | 'evictionUpdatesTrigger'
  | 'evictionCheckpointTarget'
  | 'syncdelaySeconds';

/** What to set; percent where WiredTiger takes percent. */
export type Change = { [setting in SettingName]?: number };

/** One setting of the operating system. */
export interface HostSetting {
  /** `sysctl`: vm.dirty_bytes; `sys`: a file below /sys or /proc; `limit`: nofile or nproc of the process. */
  kind: 'sysctl' | 'sys' | 'limit';
  target: string;
  to: string;
}

/** A setting of the operating system and the way back, which may set something else: writing vm.dirty_ratio undoes vm.dirty_bytes. */
export interface HostFix {
  set: HostSetting;
  back: HostSetting;
  note?: string;
}

/** What a policy may say. A rule that is absent limits nothing. */
export interface PolicyRules {
  /** Nothing is changed: a confirmed call is refused. */
  readOnly?: boolean;
  /** Only these commands run; `*` matches any characters. */
  allowCommands?: string[];
  /** These commands do not run. */
  denyCommands?: string[];
  /** Hosts that may be changed, with or without a port. */
  changeHosts?: string[];
  /** When changes are allowed, `HH:MM-HH:MM` in UTC; a span may pass midnight. */
  changeHoursUtc?: string[];
  /** What the option `ticket` of a confirmed call must match. */
  ticket?: string;
}

/** One place that a policy comes from. */
export interface PolicySource {
  /** `MONGOSH_TUNE_READ_ONLY`, or the path of a file. */
  from: string;
  rules: PolicyRules;
  /** Why the file cannot be used; null where it can. Nothing is changed then. */
  fault: string | null;
}
