export interface Coded {
  fromMs: number;
  steps: number[];
  series: Record<string, [number, number, string]>;
  levels: Record<string, number>;
  checkpoints: number[][];
  stalls: number[][];
  breaks: number[][];
  blocks: [number, number, string][];
}

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
