import { queryOptions } from '@tanstack/react-query';
import type { Plan } from '../../domain/playbook/playbook.js';
import { api, toBody, unwrap } from '../api.js';
import { change, fullList } from './kit.js';

const MAX_VERSIONS = 200;

const toPath = (playbook_id: string) => ({ playbook_id });

export const playbooksQuery = fullList(['playbooks', 'all'], (page) => unwrap(api.GET('/playbooks', { params: { query: page } })));

export const playbookQuery = (id: string) =>
  queryOptions({
    queryKey: ['playbooks', id],
    queryFn: () => unwrap(api.GET('/playbooks/{playbook_id}', { params: { path: toPath(id) } })),
  });

/** undefined: the version that new investigations use. */
export const planQuery = (id: string, version: number | undefined) =>
  queryOptions({
    queryKey: ['playbooks', id, 'plan', version ?? 'active'],
    queryFn: () => unwrap(api.GET('/playbooks/{playbook_id}/plan', { params: { path: toPath(id), query: { version } } })),
  });

export const planVersionsQuery = (id: string) =>
  queryOptions({
    queryKey: ['playbooks', id, 'versions'],
    queryFn: () =>
      unwrap(api.GET('/playbooks/{playbook_id}/plan/versions', { params: { path: toPath(id), query: { limit: MAX_VERSIONS } } })),
  });

/** The steps of past investigations, of one version or of all. */
export const pastStepsQuery = (id: string, version: number | undefined) =>
  queryOptions({
    queryKey: ['playbooks', id, 'steps', version ?? 'all versions'],
    queryFn: () => unwrap(api.GET('/playbooks/{playbook_id}/steps', { params: { path: toPath(id), query: { version } } })),
  });

export const createPlaybook = change(['playbooks'], (body: { organization_code: string; alert_type: string }) =>
  unwrap(api.POST('/playbooks', { body })),
);

export const deletePlaybook = change(['playbooks'], (id: string) =>
  unwrap(api.DELETE('/playbooks/{playbook_id}', { params: { path: toPath(id) } })),
);

/** null removes the pin. */
export const pinVersion = (id: string) =>
  change(['playbooks'], (version: number | null) =>
    unwrap(api.PUT('/playbooks/{playbook_id}/pin', { params: { path: toPath(id) }, body: { version } })),
  );

const putPlan = (id: string, isDryRun: boolean) => (body: { made_from: number; plan: Plan }) =>
  unwrap(
    api.PUT('/playbooks/{playbook_id}/plan', {
      params: { path: toPath(id), query: isDryRun ? { dry_run: 'true' } : {} },
      body: toBody(body),
    }),
  );
export const savePlan = (id: string) => change(['playbooks'], putPlan(id, false));
/** Compares the plan with past alerts and saves nothing. */
export const tryPlan = (id: string) => change([], putPlan(id, true));
