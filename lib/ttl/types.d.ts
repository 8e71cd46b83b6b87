import type { Refusal, Seen } from './collect';
import type { Expiry } from './pure/ttl';

export interface Ttl {
  seen: Seen[];
  /** When the documents of a collection are deleted, each by the first of its indexes. */
  due: { ns: string; expiry: Expiry }[];
  collections: number;
  asked: number;
  /** Collections whose indexes this user may not see. */
  unknown: number;
  /** Databases whose collections may expire as a whole, which is not known. */
  wholeUnknown: Set<string>;
  notes: string[];
  refused: Map<string, Refusal>;
  ended: 'complete' | 'interrupted' | 'lost';
  error: Error | null;
}
