import { z } from 'zod';
import { listRecordCopies, listRecords } from '../../db/records/record-list.js';
import { RecordKind } from '../../domain/record/record.js';
import { ListedRecord, RecordCopy } from '../../domain/record/record-list.js';
import { storable } from '../../domain/text.js';
import { problems } from '../http/openapi.js';
import { CopyPageQuery, pageRequest, pageSchema, TimedPageQuery, toListReply, wholeNumber } from '../http/pagination.js';
import type { RouteDeps, ZodApp } from '../http/route.js';

const tags = ['third-party records'];

const RecordQuery = TimedPageQuery.extend({
  text: storable(500).optional().describe('An entity of the record, such as a host, an account or a hash; or words of the title.'),
  kind: RecordKind.optional(),
  connection_id: z.uuid().optional(),
  organization_code: storable(32).optional(),
  since: wholeNumber().optional().describe('Changed or, without a change, happened since. Unix epoch seconds, inclusive'),
});

export function recordRoutes(app: ZodApp, { database: { db } }: RouteDeps): void {
  app.get(
    '/platformapi/third-party-records',
    {
      config: { access: ['analyst', 'admin'] },
      schema: {
        operationId: 'getThirdPartyRecordsAPI',
        tags,
        summary: 'Search the copied records of third parties, newest first',
        description:
          'Investigations copy the alerts, incidents, investigations and own indicators of third parties that cannot search by entity.',
        querystring: RecordQuery,
        response: { 200: pageSchema(ListedRecord), ...problems() },
      },
    },
    async ({ query, principal }) => {
      const { text, kind, since, connection_id: connectionUuid, organization_code: organizationCode } = query;
      const filters = { text: text?.trim() ? text : undefined, kind, since, connectionUuid, organizationCode };
      return toListReply(await listRecords(db, principal.organizationUuid, filters, pageRequest(query)));
    },
  );

  app.get(
    '/platformapi/third-party-record-copies',
    {
      config: { access: ['analyst', 'admin'] },
      schema: {
        operationId: 'getThirdPartyRecordCopiesAPI',
        tags,
        summary: 'List the copies of records and how fresh they are',
        querystring: CopyPageQuery,
        response: { 200: pageSchema(RecordCopy), ...problems() },
      },
    },
    async ({ query, principal }) => toListReply(await listRecordCopies(db, principal.organizationUuid, pageRequest(query))),
  );
}
