import type { Finding } from '../../base/pure/finding';
import type { Silenced } from './check-text';
import type { Perf } from './perfdata';

export interface Checked {
  host: string | null;
  version: string | null;
  status: 'ok' | 'warning' | 'critical' | 'unknown';
  bottleneck: string;
  because: string;
  findings: Finding[];
  suppressed: Silenced[];
  known: Finding[];
  perfdata: Perf[];
  notes: string[];
}
