/**
 * `expireAfterSeconds` null: not known, or no number. `clustered`: a collection clustered by its _id.
 * `timeseries`: deleted by whole buckets.
 */
export interface TtlIndex {
  ns: string;
  database: string;
  collection: string;
  kind: 'index' | 'clustered' | 'timeseries';
  index: string | null;
  field: string | null;
  expireAfterSeconds: number | null;
  partial: Record<string, any> | null;
}
