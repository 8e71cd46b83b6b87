import type { PolicyRules } from '../base/types';

/** Why a call is refused. */
export interface Refusal {
  /** Which source refuses it. */
  from: string;
  rule: keyof PolicyRules | 'fault';
  /** The rest of a sentence. */
  say: string;
}
