import type { Unit } from './charts';

export interface Placed {
  id: string;
  line: number;
  unit: Unit;
  title: string;
  min: number;
  series: string[];
  levels: [string, number][];
  top: number | null;
}
