import { z } from 'zod';
import { createView, deleteView, listViews, updateView } from '../../db/cases/saved-views.js';
import { CreateSavedView, SavedView, UpdateSavedView, VIEWS_AT_MOST, ViewedList } from '../../domain/case/saved-view.js';
import { problems } from '../http/openapi.js';
import { PageQuery, pageRequest, pageSchema, toListReply } from '../http/pagination.js';
import { notFound, Problem } from '../http/problems.js';
import type { RouteDeps, ZodApp } from '../http/route.js';

const tags = ['saved views'];
const ViewPath = z.object({ view_id: z.uuid() });
const EXAMPLE = { list: 'cases', name: 'Open and critical', filters: { status: 'open', severity: 'critical' }, is_shared: true } as const;

function toRefusal(outcome: 'unknown' | 'foreign'): Problem {
  if (outcome === 'unknown') return notFound('view with this id');
  return new Problem(403, 'Another person or key created this view. They or an admin can change it. Save a view of your own.');
}

/** Filters of a list under a name: private to an API key, or shared in its organization. */
export function savedViewRoutes(app: ZodApp, { database: { db } }: RouteDeps): void {
  app.get(
    '/platformapi/saved-views',
    {
      config: { access: ['analyst', 'admin'] },
      schema: {
        operationId: 'getSavedViewListAPI',
        tags,
        summary: 'List the own and the shared views, oldest first',
        querystring: PageQuery.extend({ list: ViewedList.optional() }),
        response: { 200: pageSchema(SavedView), ...problems() },
      },
    },
    async ({ query, principal }) => toListReply(await listViews(db, principal, query.list, pageRequest(query))),
  );

  app.post(
    '/platformapi/saved-views',
    {
      config: { access: ['analyst', 'admin'], changes: ['settings'] },
      schema: {
        operationId: 'createSavedViewAPI',
        tags,
        summary: 'Save the filters of a list as a view',
        body: CreateSavedView.meta({ examples: [EXAMPLE] }),
        response: { 201: SavedView, ...problems(409, 413, 415) },
      },
    },
    async ({ body, principal }, reply) => {
      const created = await createView(db, principal, body);
      if (created === 'full') throw new Problem(409, `This API key has ${VIEWS_AT_MOST} views. Delete one first.`);
      return reply.status(201).send(created);
    },
  );

  app.patch(
    '/platformapi/saved-views/:view_id',
    {
      config: { access: ['analyst', 'admin'], changes: ['settings'] },
      schema: {
        operationId: 'updateSavedViewAPI',
        tags,
        summary: 'Rename, share or replace a view',
        params: ViewPath,
        body: UpdateSavedView.meta({ examples: [{ name: 'Critical cases' }] }),
        response: { 200: SavedView, ...problems(404, 413, 415) },
      },
    },
    async ({ params, body, principal }) => {
      const updated = await updateView(db, principal, params.view_id, body);
      if (updated.outcome !== 'done') throw toRefusal(updated.outcome);
      return updated.view;
    },
  );

  app.delete(
    '/platformapi/saved-views/:view_id',
    {
      config: { access: ['analyst', 'admin'], changes: ['settings'] },
      schema: {
        operationId: 'deleteSavedViewAPI',
        tags,
        summary: 'Delete a view',
        params: ViewPath,
        response: { 204: z.null(), ...problems(404) },
      },
    },
    async ({ params, principal }, reply) => {
      const deleted = await deleteView(db, principal, params.view_id);
      if (deleted.outcome !== 'done') throw toRefusal(deleted.outcome);
      return reply.status(204).send(null);
    },
  );
}
