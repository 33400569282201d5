import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, type ListQuery, toBody, unwrap } from '../api.js';
import { change, type FormValue } from './kit.js';

const PAGE_SIZE = 50;
const RUNNING_STATUSES: readonly number[] = [0, 5, 10];
const RUNNING_REFRESH_MS = 2_000;

export const isRunning = ({ investigation_status: status }: { investigation_status: number }) => RUNNING_STATUSES.includes(status);
export const refreshWhile = (isOn: boolean) => (isOn ? RUNNING_REFRESH_MS : false);

export const alertsQuery = (query: ListQuery<'/alerts'>) =>
  queryOptions({
    queryKey: ['alerts', query],
    queryFn: () => unwrap(api.GET('/alerts', { params: { query: { ...query, limit: PAGE_SIZE } } })),
    placeholderData: keepPreviousData,
  });

export const alertQuery = (alertId: string) =>
  queryOptions({
    queryKey: ['alerts', 'one', alertId],
    queryFn: () => unwrap(api.GET('/alerts/{alert_id}', { params: { path: { alert_id: alertId } } })),
  });

export const sendAlert = change(['alerts'], (alert: FormValue) => unwrap(api.POST('/alerts', { body: toBody(alert) })));

type Rerun = { from_step: string } | { reuse: true } | Record<string, never>;

/** Starts the next investigation. It reuses the earlier answers that the request allows. */
export const reinvestigate = (alertId: string) =>
  change(['alerts', 'cases'], (rerun: Rerun) =>
    unwrap(api.POST('/alerts/{alert_id}/investigate', { params: { path: { alert_id: alertId } }, body: rerun })),
  );
