export interface RulePage {
  id: string;
  area: string;
  title: string;
  why: string;
  threshold: string;
  source: string;
  advice: string;
  whenNot: string;
  needs: readonly string[];
  wants: readonly string[];
  speaksFor: readonly string[];
  alongside?: readonly string[];
  thresholds: Readonly<Record<string, number>>;
  /** Ids of rules that became this one. */
  aliases: readonly string[];
  about?: string;
}
