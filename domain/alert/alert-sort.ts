/** The orders of the list of alerts. Each one is the order of an index. */
export const ALERT_SORTS = [
  '-created_at',
  'created_at',
  '-completed_at',
  'completed_at',
  '-alert_type',
  'alert_type',
  '-status',
  'status',
] as const;
export type AlertSort = (typeof ALERT_SORTS)[number];
export const NEWEST_ALERTS: AlertSort = '-created_at';
