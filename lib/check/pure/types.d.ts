import type { Finding } from '../../base/pure/finding';
import type { Suppressed } from './check-text';
import type { Perf } from './check-text';

export interface Checked {
  host: string | null;
  version: string | null;
  status: 'ok' | 'warning' | 'critical' | 'unknown';
  bottleneck: string;
  because: string;
  findings: Finding[];
  suppressed: Suppressed[];
  inBaseline: Finding[];
  perfdata: Perf[];
  notes: string[];
}
