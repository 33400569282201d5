import { queryOptions } from '@tanstack/react-query';
import { api, toBody, unwrap } from '../api.js';
import { change, type FormValue } from './kit.js';

const MAX_WAITING = 8;
const POLL_MS = 1_500;

export const waitingProposalsQuery = queryOptions({
  queryKey: ['proposals', 'waiting'],
  queryFn: () => unwrap(api.GET('/proposals', { params: { query: { state: 'waiting', manual: 'true', limit: MAX_WAITING } } })),
});

const toParams = (proposal_id: string) => ({ path: { proposal_id } });

export const approveProposal = (id: string) =>
  change(['cases', 'proposals'], (given: FormValue) =>
    unwrap(api.POST('/proposals/{proposal_id}/approve', { params: toParams(id), body: toBody(given) })),
  );

export const endProposal = (id: string, action: 'refuse' | 'release') =>
  change(['cases', 'proposals'], (given: FormValue) =>
    unwrap(api.POST(`/proposals/{proposal_id}/${action}`, { params: toParams(id), body: toBody(given) })),
  );

/** Postpones the scheduled undo, or cancels it without `hours`. */
export const reconfirmProposal = (id: string) =>
  change(['cases', 'proposals'], (given: FormValue) =>
    unwrap(api.POST('/proposals/{proposal_id}/reconfirm', { params: toParams(id), body: toBody({ hours: null, ...given }) })),
  );

/** Manual writes that need a second approver. */
export const waitingWritesQuery = (connector: string) =>
  queryOptions({
    queryKey: ['proposals', 'waiting-writes', connector],
    queryFn: () =>
      unwrap(api.GET('/proposals', { params: { query: { state: 'waiting', manual: 'only', connector, limit: MAX_WAITING } } })),
  });

export const skillRunQuery = (runId: string) =>
  queryOptions({
    queryKey: ['proposals', 'skill-run', runId],
    queryFn: () => unwrap(api.GET('/skill-runs/{run_id}', { params: { path: { run_id: runId } } })),
    refetchInterval: ({ state: { data: run } }) => (run?.state === 'running' || run?.state === 'proposed' ? POLL_MS : false),
  });

export const decideRun = (runId: string) =>
  change(['proposals'], (approve: boolean) =>
    approve
      ? unwrap(api.POST('/proposals/{proposal_id}/approve', { params: toParams(runId), body: {} }))
      : unwrap(api.POST('/proposals/{proposal_id}/refuse', { params: toParams(runId), body: { reason: 'Refused in the dashboard.' } })),
  );
