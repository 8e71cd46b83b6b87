import type { MemberChange } from './group-report';
import type { Change } from '../base/types';

export interface GroupData {
  /** Of all of them together, for tune.undo(). */
  id: string | null;
  action: 'apply' | 'undo';
  undoes: string | null;
  dryRun: boolean;
  change: Change;
  /** In which they are changed. */
  order: string[];
  /** What tune.apply() answers for one, for each. */
  members: MemberChange[];
  verified: boolean | null;
  /** What concerns all of them, or the order. */
  warnings: string[];
  /** What undoes it; of an undo that did not come to all members, a dry run of the change on all. */
  undo: string | null;
  confirm: string | null;
}
