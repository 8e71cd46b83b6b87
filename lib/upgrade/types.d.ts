import type { ChangeArea } from './pure/release-changes';

export interface Step {
  to: string;
  /** The feature compatibility version to set once all members run it; null within a series. */
  compatibility: string | null;
}
export interface UpgradeItem {
  id: string;
  since: string;
  area: ChangeArea;
  /** `check`: tune cannot see whether it counts here. */
  level: 'blocker' | 'change' | 'check';
  what: string;
  todo: string | null;
  source: string;
}
export interface Gone {
  where: 'option' | 'configString' | 'runtime';
  name: string;
  what: string;
  todo: string;
}
export interface DefectOfRelease {
  ticket: string;
  title: string;
  status: 'critical' | 'warning' | 'info';
}
export interface UpgradeData {
  at: Date;
  host: string | null;
  role: string | null;
  version: string;
  to: string;
  /** null: not known. */
  compatibility: string | null;
  path: Step[];
  changes: UpgradeItem[];
  /** Options and engine keys in use here that the target refuses. */
  gone: Gone[];
  /** Known defects of the target that this release does not have. */
  gained: DefectOfRelease[];
  /** Known defects of this release that the target does not have. */
  lost: DefectOfRelease[];
  /** Tickets among those lost whose sign this server shows now. */
  shownNow: string[];
  /** Hosts in the order of their upgrade. */
  order: string[];
  notes: string[];
}
