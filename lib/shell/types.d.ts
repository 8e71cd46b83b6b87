import type { Connected, Port, Terminal } from '../base/context';
import type { OptionTable } from '../base/pure/options';
import type { Job } from './interrupt';
import type { Address, Send } from './member-connection';
import type { Open } from './port';
import type { Tune } from './tune';
import type { EventEmitter } from 'node:events';

export interface State {
  isInteractive: boolean;
  currentDb: any;
  initialServiceProvider?: any;
  cliOptions: { json?: unknown };
  shellApi: Record<string, any>;
  evaluationListener?: {
    onExit?(code: number): Promise<unknown>;
    runtimeState?(): { repl?: unknown };
    ioProvider?: { close?(): Promise<void> };
  };
  messageBus: EventEmitter;
  close(): Promise<void>;
  interrupted: {
    isSet(): boolean;
    checkpoint(): void;
    withOverrideInterruptBehavior<T>(
      run: () => Promise<T>,
      onInterrupt: () => Promise<void>,
    ): Promise<T>;
  };
}

export interface Script {
  name: string;
  /** Beside those that all scripts have. */
  options: OptionTable;
  needsServer: boolean;
  /** How long it samples unless it is asked for another time. */
  seconds: number;
  /** What it may take beyond that. */
  patienceSeconds: number;
  /** What a user would type, and the answer's `exitCode` becomes that of mongosh, or 0. */
  run(tune: Tune, options: any): unknown;
  /** How the answer is printed where not as at the prompt. */
  text?(answer: any): string;
  /** What stdout says when there is no answer. */
  unable?(error: Error): string;
}

/**
 * Where commands run: a mongosh, or plain Node.js. `guard` runs a job and interrupts it when the
 * environment says so.
 */
export interface Environment {
  send: Send;
  open?: Open;
  address(): Address;
  connect(host: string): Promise<Connected>;
  reach(uri: string, ms: number): Promise<Connected>;
  home: string;
  /** Where the policy comes from, if not from where it usually does: for tests. */
  policyPlaces?: { systemFile?: string; env?: NodeJS.ProcessEnv };
  terminal: Terminal;
  progress(): (text: string | null) => void;
  guard(job: Job): Promise<unknown>;
  noticeUnfinished?(command: string, port: Port): Promise<void>;
}
