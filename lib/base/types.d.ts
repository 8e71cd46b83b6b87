import type { Connected, Port, Terminal } from './context';

export type Tone = 'good' | 'bad' | 'warn' | 'faint' | 'strong' | 'accent';
/** Colours a text, where there is colour. */
export type Ink = (text: string, tone: Tone) => string;

/** What a command gets as its first argument. */
export interface Context {
  port: Port;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
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
}
