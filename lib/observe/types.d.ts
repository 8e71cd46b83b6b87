import type { Settings } from '../change/types';
import type { Facts, Place, SetPlace } from '../server/pure/types';
import type { HostPart } from '../host/pure/host';
import type { Window } from '../server/pure/window';

/** All that was read before anything is judged: plain data, never changed afterwards. */
export interface Observation {
  window: Window;
  /** Complete: with the settings in effect and what the machine adds. */
  facts: Facts;
  /** null: they could not be read. */
  settings: Settings | null;
  /** What is known of the machine beside the counters; null: nothing was asked of it. */
  machine: HostPart | null;
  /** The replica set; null: the server is in none, or nobody asked for its members. */
  members: ObservedSet | null;
  /** Unfinished moves that keep collections from taking writes. */
  blockedMoves: readonly BlockedMove[];
  ended: 'complete' | 'interrupted' | 'lost';
  /** What could not be read, and why. */
  notes: string[];
}

/** The least that can be judged: what a recording has, too. */
export type Judgeable = Pick<Observation, 'window' | 'facts'> & Partial<Observation>;

/** A replica set as it was at both ends of the window. */
export interface ObservedSet {
  /** At the end of the window. */
  set: SetPlace;
  /** Seconds the majority was behind at the beginning of the window; null: not known. */
  beganSeconds: number | null;
  /** In the order of the set. */
  members: readonly ObservedMember[];
}

/** One member, whether it was reached or not. */
export interface ObservedMember {
  place: Place;
  /** null: it was not reached, or stores no data. */
  observation: Observation | null;
  /** Start-up options and parameters; null: they may not be read. */
  options: Record<string, unknown> | null;
  parameters: Record<string, unknown> | null;
  /** Why there is no observation. */
  why: string | null;
  error: Error | null;
}

export interface BlockedMove {
  id: string;
  from: string;
  into: string;
  phase: string;
}
