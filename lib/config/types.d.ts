import type { SettingName } from '../base/types';

/** One setting in force. */
export interface Setting {
  value: number | null;
  from: 'default' | 'startup' | 'runtime' | 'unknown';
  default: number | null;
  /** Set after the server started, so lost when it restarts. */
  sinceRestart: boolean;
  /** Who set it at run time; null: not known. */
  by?: 'tune' | 'others' | null;
}

/** All settings in force. */
export type Config = Record<SettingName, Setting>;

/** What the counters of a server show of its settings; what it does not tell is absent. */
export interface EngineGauges {
  'cache.maxBytes'?: number;
  'cache.usedBytes'?: number;
  'checkpoint.running'?: number;
  /** Moves between evictionThreadsMin and evictionThreadsMax. */
  'eviction.threadsActive'?: number;
  'eviction.targetPercent'?: number;
  'eviction.triggerPercent'?: number;
  'eviction.dirtyTargetPercent'?: number;
  'eviction.dirtyTriggerPercent'?: number;
  'eviction.updatesTargetPercent'?: number;
  'eviction.updatesTriggerPercent'?: number;
}
