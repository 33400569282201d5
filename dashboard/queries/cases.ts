import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { MAX_ATTACHMENT_BYTES } from '../../domain/case/limits.js';
import type { CaseChange, CaseChangeResult, UpdateCase } from '../../services/cases/wire.js';
import { ApiProblem, api, buildUrl, type ListQuery, toBody, unwrap, uploadFile } from '../api.js';
import { change, type FormValue } from './kit.js';

const PAGE_SIZE = 50;
const PART_SIZE = 20;
const VISIT_INTERVAL_MS = 5 * 60_000;

const toParams = (caseId: string) => ({ path: { case_id: caseId } });

export const casesQuery = (query: ListQuery<'/cases'>) =>
  queryOptions({
    queryKey: ['cases', query],
    queryFn: () => unwrap(api.GET('/cases', { params: { query: { ...query, limit: PAGE_SIZE } } })),
    placeholderData: keepPreviousData,
  });

export const caseCountsQuery = (query: ListQuery<'/case-counts'>) =>
  queryOptions({
    queryKey: ['cases', 'counts', query],
    queryFn: () => unwrap(api.GET('/case-counts', { params: { query } })),
    placeholderData: keepPreviousData,
  });

/** The page states that the user uses the list, and learns when the previous visit ended. */
export const caseVisitQuery = queryOptions({
  queryKey: ['case-visit'],
  queryFn: () => unwrap(api.POST('/case-visit')),
  refetchInterval: VISIT_INTERVAL_MS,
  staleTime: VISIT_INTERVAL_MS,
});

/** Sends the changes in parts, so that the page can show the progress. */
export const changeCases = (onPart: (results: CaseChangeResult[]) => void) =>
  change(['cases'], async (changes: readonly CaseChange[]) => {
    for (let from = 0; from < changes.length; from += PART_SIZE)
      onPart((await unwrap(api.POST('/cases/bulk', { body: { changes: changes.slice(from, from + PART_SIZE) } }))).results);
  });

export const caseQuery = (caseId: string) =>
  queryOptions({
    queryKey: ['cases', 'one', caseId],
    queryFn: () => unwrap(api.GET('/cases/{case_id}', { params: toParams(caseId) })),
  });

export const updateCase = (caseId: string) =>
  change(['cases'], (body: UpdateCase) => unwrap(api.PATCH('/cases/{case_id}', { params: toParams(caseId), body })));

export type CaseAction = 'rename' | 'assign' | 'close' | 'verdict' | 'merge' | 'unmerge' | 'hold' | 'release';

/** The actions with a form. */
export const actOnCase = (caseId: string, action: CaseAction) => {
  const params = toParams(caseId);
  const update = (body: UpdateCase) => unwrap(api.PATCH('/cases/{case_id}', { params, body }));
  return change(['cases'], async (given: FormValue): Promise<unknown> => {
    const reason = String(given['reason']);
    switch (action) {
      case 'rename':
        return update({ title: String(given['title']).trim() });
      case 'assign':
        return update({ assignee: typeof given['assignee'] === 'string' ? given['assignee'] : null });
      case 'close':
        return update({ status: 'closed', comment: reason });
      case 'verdict':
        return update(toBody<UpdateCase>({ analyst_verdict: { verdict: given['verdict'], reason } }));
      case 'merge':
        return unwrap(api.POST('/cases/{case_id}/merge', { params, body: { into: String(given['into']).trim(), reason } }));
      case 'unmerge':
        return unwrap(api.POST('/cases/{case_id}/unmerge', { params, body: { reason } }));
      case 'hold':
        return unwrap(api.POST('/cases/{case_id}/legal-hold', { params, body: { reason } }));
      case 'release':
        return unwrap(api.POST('/cases/{case_id}/legal-hold/release', { params, body: { reason } }));
    }
  });
};

export const caseGraphQuery = (caseId: string) =>
  queryOptions({
    queryKey: ['cases', 'graph', caseId],
    queryFn: () => unwrap(api.GET('/cases/{case_id}/graph', { params: toParams(caseId) })),
  });

export const tasksQuery = (caseId: string) =>
  queryOptions({
    queryKey: ['cases', 'tasks', caseId],
    queryFn: () => unwrap(api.GET('/cases/{case_id}/tasks', { params: toParams(caseId) })),
  });

export const addTasks = (caseId: string) =>
  change(['cases'], (titles: string[]) => unwrap(api.POST('/cases/{case_id}/tasks', { params: toParams(caseId), body: { titles } })));

export const completeTask = (case_id: string, task_id: string) =>
  change(['cases'], (done: boolean) =>
    unwrap(api.PATCH('/cases/{case_id}/tasks/{task_id}', { params: { path: { case_id, task_id } }, body: { done } })),
  );

export const deleteTask = (case_id: string, task_id: string) =>
  change(['cases'], () => unwrap(api.DELETE('/cases/{case_id}/tasks/{task_id}', { params: { path: { case_id, task_id } } })));

export const attachmentsQuery = (caseId: string) =>
  queryOptions({
    queryKey: ['cases', 'attachments', caseId],
    queryFn: () => unwrap(api.GET('/cases/{case_id}/attachments', { params: toParams(caseId) })),
  });

export const addAttachment = (caseId: string) =>
  change(['cases'], async (file: File) => {
    if (file.size > MAX_ATTACHMENT_BYTES)
      throw new ApiProblem(413, { detail: `${file.name} is larger than 10 MiB. Choose a smaller file.` });
    return uploadFile(buildUrl('/cases/{case_id}/attachments', { ...toParams(caseId), query: { name: file.name } }), file);
  });

export const deleteAttachment = (case_id: string) =>
  change(['cases'], (attachment_id: string) =>
    unwrap(api.DELETE('/cases/{case_id}/attachments/{attachment_id}', { params: { path: { case_id, attachment_id } } })),
  );

/** A stored answer never changes. */
export const answerQuery = (resultId: string) =>
  queryOptions({
    queryKey: ['skill-results', resultId],
    queryFn: () => unwrap(api.GET('/skill-results/{result_id}', { params: { path: { result_id: resultId } } })),
    staleTime: Number.POSITIVE_INFINITY,
  });
