import { z } from 'zod';
import { listAttachments } from '../../db/cases/case-attachments.js';
import { MAX_ATTACHMENT_BYTES } from '../../domain/case/limits.js';
import { storable } from '../../domain/text.js';
import { addAttachment } from '../../services/attachments/add.js';
import { deleteAttachment } from '../../services/attachments/delete.js';
import { downloadAttachment } from '../../services/attachments/download.js';
import { Attachment, AttachmentName } from '../../services/attachments/wire.js';
import { requireCase } from '../../services/cases/require-case.js';
import { invalid } from '../../services/errors.js';
import { expectedBytes, LargeBodies } from '../http/large-bodies.js';
import { problems } from '../http/openapi.js';
import { Problem } from '../http/problems.js';
import { type RouteDeps, withZod, type ZodApp } from '../http/route.js';

const tags = ['cases'];
const CasePath = z.object({ case_id: storable(100) });
const AttachmentPath = CasePath.extend({ attachment_id: z.uuid() });
const LIST = '/platformapi/cases/:case_id/attachments';
const access = ['analyst', 'admin'] as const;
const CONTENT_TYPE = 'application/octet-stream';

/** Files of a case. Only these routes accept a body that is not JSON. */
export function attachmentRoutes(app: ZodApp, { database: { db } }: RouteDeps): void {
  const uploads = new LargeBodies({ owner: 2 * MAX_ATTACHMENT_BYTES, total: 4 * MAX_ATTACHMENT_BYTES });
  const downloads = new LargeBodies({ owner: 4 * MAX_ATTACHMENT_BYTES, total: 12 * MAX_ATTACHMENT_BYTES });
  void app.register(async (scoped) => {
    scoped.addContentTypeParser(CONTENT_TYPE, { parseAs: 'buffer', bodyLimit: MAX_ATTACHMENT_BYTES }, (_request, body, done) =>
      done(null, body),
    );
    withZod(scoped).post(
      LIST,
      {
        bodyLimit: MAX_ATTACHMENT_BYTES,
        config: { access, changes: ['cases'] },
        onRequest: async (request, reply) =>
          uploads.reserve(request, reply, request.principal.personUuid, expectedBytes(request, MAX_ATTACHMENT_BYTES)),
        schema: {
          operationId: 'createAttachmentAPI',
          tags,
          summary: 'Add a file to a case',
          description: `The body is the file as \`${CONTENT_TYPE}\`, at most 10 MiB. A case holds 50 files and 100 MiB.`,
          params: CasePath,
          querystring: z.object({ name: AttachmentName }),
          response: { 201: Attachment, ...problems(404, 409, 413, 415) },
        },
      },
      async (request, reply) => {
        const { params, query, body, context } = request;
        if (body !== undefined && body !== null && !Buffer.isBuffer(body))
          throw new Problem(415, `Send the file as Content-Type: ${CONTENT_TYPE}.`);
        if (!body || body.length === 0) throw invalid([{ pointer: '#', detail: 'The file is empty. Send its content as the body.' }]);
        const file = { name: query.name, content: body };
        return reply.status(201).send(await uploads.during(request, () => addAttachment(context, params.case_id, file)));
      },
    );
  });

  app.get(
    LIST,
    {
      config: { access },
      schema: {
        operationId: 'getAttachmentListAPI',
        tags,
        summary: 'List the files of a case, without their content',
        params: CasePath,
        response: { 200: z.object({ items: z.array(Attachment) }), ...problems(404) },
      },
    },
    async ({ params, principal }) => ({ items: await listAttachments(db, await requireCase(db, principal, params.case_id)) }),
  );

  app.get(
    `${LIST}/:attachment_id`,
    {
      config: { access },
      schema: { hide: true, params: AttachmentPath },
      // Until the client has the file.
      onRequest: async (request, reply) => downloads.reserve(request, reply, request.principal.personUuid, MAX_ATTACHMENT_BYTES),
    },
    async ({ params, context }, reply) => {
      const file = await downloadAttachment(context, { caseId: params.case_id, attachmentUuid: params.attachment_id });
      // A file may be malware or a page with scripts: the browser saves it and never shows it.
      return reply
        .type(CONTENT_TYPE)
        .header('content-disposition', nameFile(file.name))
        .header('content-security-policy', "default-src 'none'; sandbox")
        .send(file.content);
    },
  );

  app.delete(
    `${LIST}/:attachment_id`,
    {
      config: { access, changes: ['cases'] },
      schema: {
        operationId: 'deleteAttachmentAPI',
        tags,
        summary: 'Delete a file of a case',
        params: AttachmentPath,
        response: { 204: z.null(), ...problems(404, 409) },
      },
    },
    async ({ params, context }, reply) => {
      await deleteAttachment(context, { caseId: params.case_id, attachmentUuid: params.attachment_id });
      return reply.status(204).send(null);
    },
  );
}

/** RFC 6266: an ASCII name for old programs, and the exact name. */
function nameFile(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const exact = encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  return `attachment; filename="${ascii}"; filename*=UTF-8''${exact}`;
}
