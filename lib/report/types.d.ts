import type { Compared as ComparedServers, StepSequence } from '../bench/pure/types';
import type { SplitPlan } from '../split/pure/types';
import type { Shown as TrialShown } from '../trial/pure/types';
import type { Incident } from '../incident/types';
import type { Finding } from '../base/pure/finding';
import type { Measured, Planned } from '../bench/pure/bench-text';
import type { Checkpoints } from '../commands/checkpoints';
import type { Watched } from '../commands/watch';
import type { Advice } from '../diagnose/advice';
import type { Compared as ComparedRecording } from '../recording/pure/recorded-text';
import type { Spell } from '../recording/recorded-advice';
import type { ChartData } from '../text/types';
import type { Plot } from '../series/plot';
import type { Collections } from '../server/collection-samples';
import type { Status } from '../server/pure/status';
import type { Markup } from './pure/html/elements';

// Answers that a page can be made of, as their commands give them. Read back from JSON, their dates
// are texts.

/** Of tune.advise(), and of a recording: then with the windows judged. */
export type AdviceAnswer = Advice & {
  worst?: Spell;
  others?: Spell[];
  compared?: ComparedRecording;
};
export type IncidentAnswer = Incident;
export type StatusAnswer = Status & { seconds: number; notes: string[] };
export type WatchAnswer = Watched;
export type CheckpointsAnswer = Checkpoints;
export type CollectionsAnswer = Collections;
export type TimelineAnswer = Plot;
export type SplitAnswer = SplitPlan;
export type TrialAnswer = TrialShown & { at: Date };
export type BenchRun = { dryRun: false; at: Date } & Measured;
export type BenchAnswer = ({ dryRun: true } & Planned) | BenchRun;
export type ServersAnswer = ComparedServers;
export type StepsAnswer = StepSequence;

/** A finding about the machine, with the commands that fix it. */
export type FindingShown = Finding & { script?: { [kind: string]: string | null } };
export type HostAnswer = {
  at: Date;
  place: { say: string };
  facts: Record<string, Record<string, unknown>>;
  unknown: Record<string, string>;
  findings: FindingShown[];
  notes: string[];
};

/** A section of a page. `id`: for links to it. */
export type Part = { id: string; title: string; body: Markup };

/** An answer as parts of a page. `before`, `after`: the charts. */
export type Shown = {
  name: string;
  /** What it is of, and from when. */
  sub: readonly (string | null | undefined)[];
  lead: Markup | null;
  before: Part[];
  after: Part[];
  notes: string[];
};

/**
 * A kind of answer, recognised by its fields, so that one read from JSON is recognised too.
 * `draw`: chart data from its own fields; `elapsed`: its times count from its beginning; `key`: what
 * the ids on the page end in; `above`: rules whose findings are higher up on the page.
 */
export type Kind = {
  name: string;
  is(value: any): boolean;
  show(value: any, key: string, above?: ReadonlySet<string>): Shown;
  draw?(value: any): ChartData;
  elapsed?: true;
};

/** One answer on a page. `drawn`: null where there is nothing to draw. */
/** `comment`: with which the commands of a confirmed call were sent */
export type Item = { value: any; kind: Kind; drawn: ChartData | null; comment?: string | null };
