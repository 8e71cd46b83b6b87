export interface Coded {
  fromMs: number;
  steps: number[];
  series: Record<string, [number, number, string]>;
  levels: Record<string, number>;
  checkpoints: number[][];
  stalls: number[][];
  breaks: number[][];
  blocks: [number, number, string][];
  events?: [number, number, string][];
}
