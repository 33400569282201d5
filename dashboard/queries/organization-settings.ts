import { queryOptions } from '@tanstack/react-query';
import type { KnowledgeSuggestion } from '../../domain/organization/knowledge.js';
import type { RetentionRule } from '../../domain/organization/retention.js';
import type { SaveSlaPolicy } from '../../domain/sla/policy.js';
import { api, toBody, unwrap } from '../api.js';
import { change, type FormValue, fullList } from './kit.js';

const toParams = (organization_code: string) => ({ path: { organization_code } });

/** The names of the people who work on the organization's cases. */
export const peopleQuery = (code: string) =>
  queryOptions({
    queryKey: ['settings', 'people', code],
    queryFn: () => unwrap(api.GET('/organizations/{organization_code}/people', { params: toParams(code) })),
    select: ({ items }) => items.map(({ name }) => name),
  });

export const knowledgeQuery = (code: string) =>
  fullList(['settings', 'knowledge', code], (page) =>
    unwrap(api.GET('/organizations/{organization_code}/knowledge', { params: { ...toParams(code), query: page } })),
  );
export const addKnowledge = (code: string) =>
  change(['settings'], (entry: FormValue) =>
    unwrap(api.POST('/organizations/{organization_code}/knowledge', { params: toParams(code), body: toBody(entry) })),
  );
export const removeKnowledge = (organization_code: string) =>
  change(['settings'], (knowledge_id: string) =>
    unwrap(
      api.DELETE('/organizations/{organization_code}/knowledge/{knowledge_id}', { params: { path: { organization_code, knowledge_id } } }),
    ),
  );

export const knowledgeSuggestionsQuery = (code: string) =>
  queryOptions({
    queryKey: ['settings', 'knowledge-suggestions', code],
    queryFn: () => unwrap(api.GET('/organizations/{organization_code}/knowledge-suggestions', { params: toParams(code) })),
  });
export const decideSuggestion = (code: string) =>
  change(
    ['settings'],
    async ({ suggestion: { kind, value, reason }, isAccepted }: { suggestion: KnowledgeSuggestion; isAccepted: boolean }) => {
      const params = toParams(code);
      if (isAccepted)
        await unwrap(api.POST('/organizations/{organization_code}/knowledge', { params, body: { kind, value, note: reason } }));
      else
        await unwrap(
          api.POST('/organizations/{organization_code}/knowledge-suggestions/reject', { params, body: { kind, value, note: '' } }),
        );
    },
  );

export const retentionQuery = (code: string) =>
  queryOptions({
    queryKey: ['settings', 'retention', code],
    queryFn: () => unwrap(api.GET('/organizations/{organization_code}/retention', { params: toParams(code) })),
  });
/** Counts the data that the rules would delete. */
export const countRetention = (code: string) =>
  change([], (rules: RetentionRule[]) =>
    unwrap(api.POST('/organizations/{organization_code}/retention/dry-run', { params: toParams(code), body: { rules } })),
  );
export const saveRetention = (code: string) =>
  change(['settings'], (rules: RetentionRule[]) =>
    unwrap(api.PUT('/organizations/{organization_code}/retention', { params: toParams(code), body: { rules } })),
  );
export const changeLegalHold = (code: string, action: 'legal-hold' | 'legal-hold/release') =>
  change(['settings'], (given: FormValue) =>
    unwrap(api.POST(`/organizations/{organization_code}/${action}`, { params: toParams(code), body: toBody(given) })),
  );

export const slaQuery = (code: string) =>
  queryOptions({
    queryKey: ['settings', 'sla', code],
    queryFn: () => unwrap(api.GET('/organizations/{organization_code}/sla', { params: toParams(code) })),
  });
export const saveSla = (code: string) =>
  change(['settings'], (body: SaveSlaPolicy) =>
    unwrap(api.PUT('/organizations/{organization_code}/sla', { params: toParams(code), body })),
  );

export const taskTemplatesQuery = (code: string) =>
  queryOptions({
    queryKey: ['settings', 'task-templates', code],
    queryFn: () => unwrap(api.GET('/organizations/{organization_code}/task-templates', { params: toParams(code) })),
  });
/** The form has one task in each line. */
export const saveTaskTemplate = (code: string, alertType?: string) =>
  change(['settings'], ({ alert_type, tasks }: FormValue) => {
    const lines = String(tasks).split('\n');
    const body = {
      alert_type: alertType ?? String(alert_type).trim(),
      tasks: lines.map((line) => line.trim()).filter((line) => line !== ''),
    };
    return unwrap(api.PUT('/organizations/{organization_code}/task-templates', { params: toParams(code), body }));
  });
export const deleteTaskTemplate = (organization_code: string) =>
  change(['settings'], (template_id: string) =>
    unwrap(
      api.DELETE('/organizations/{organization_code}/task-templates/{template_id}', {
        params: { path: { organization_code, template_id } },
      }),
    ),
  );
