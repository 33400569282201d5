import { z } from 'zod';
import { isSealed, PayloadSealer } from '../../platform/payload-sealer.js';
import { problems } from '../http/openapi.js';
import { Problem } from '../http/problems.js';
import type { RouteDeps, ZodApp } from '../http/route.js';

const PATH = '/platformapi/temporal-codec/decode';
/** Temporal limits a payload to 2 MiB, and Temporal Web sends those of a page of events. */
const BODY_BYTES = 16 * 1024 * 1024;

const Base64 = z.base64();
const EncodedPayload = z.object({ metadata: z.record(z.string(), Base64).default({}), data: Base64.default('') });
const Payloads = z.object({ payloads: z.array(EncodedPayload).max(1000) });
const PayloadsToDecode = z.strictObject(Payloads.shape);

/** The protocol of Temporal's remote codec servers: Temporal Web shows the decrypted payloads of a run with it. */
export function temporalCodecRoutes(app: ZodApp, { keyring, runner, temporalWeb }: RouteDeps): void {
  const { namespace } = runner.client.options;
  const sealer = new PayloadSealer(keyring, namespace, false);
  const origin = temporalWeb === null ? null : new URL(temporalWeb).origin;
  const allowTemporalWeb = async (_: unknown, reply: { header(name: string, value: string): unknown }) => {
    if (origin === null) return;
    reply.header('access-control-allow-origin', origin);
    reply.header('access-control-allow-credentials', 'true');
    reply.header('access-control-allow-methods', 'POST');
    reply.header('access-control-allow-headers', 'authorization, content-type, x-namespace');
    reply.header('vary', 'origin');
  };

  app.options(PATH, { config: { access: 'public' }, schema: { hide: true }, onRequest: allowTemporalWeb }, (_request, reply) =>
    reply.status(204).send(),
  );

  app.post(
    PATH,
    {
      config: { access: ['analyst', 'admin'], changes: [], ...(origin === null ? {} : { callingOrigin: origin }) },
      bodyLimit: BODY_BYTES,
      onRequest: allowTemporalWeb,
      schema: {
        operationId: 'decodePayloadsAPI',
        tags: ['service'],
        summary: 'Decrypt the payloads of a run for Temporal Web',
        description:
          'The `/decode` of a remote codec server of Temporal. Runs of all organizations share a namespace, so the key or user must belong to no single organization.',
        headers: z.object({ 'x-namespace': z.string().describe('The Temporal namespace of the payloads.') }),
        body: PayloadsToDecode.meta({ examples: [{ payloads: [{ metadata: { encoding: 'anNvbi9wbGFpbg==' }, data: 'MQ==' }] }] }),
        response: { 200: Payloads, ...problems(413, 415) },
      },
    },
    async ({ body, headers, principal }) => {
      if (principal.organizationUuid !== null)
        throw new Problem(403, 'Runs of all organizations are encrypted alike. Use a user or a key that belongs to all organizations.');
      if (headers['x-namespace'] !== namespace)
        throw new Problem(403, `This service decrypts only payloads of the namespace ${namespace}. Send it as X-Namespace.`);
      return { payloads: await Promise.all(body.payloads.map(decode)) };
    },
  );

  async function decode({ metadata, data }: z.infer<typeof EncodedPayload>): Promise<z.infer<typeof EncodedPayload>> {
    const bytes = Object.entries(metadata).map(([name, value]) => [name, Buffer.from(value, 'base64')] as const);
    const payload = { metadata: Object.fromEntries(bytes), data: Buffer.from(data, 'base64') };
    if (!isSealed(payload)) return { metadata, data };
    const [opened] = await sealer.decode([payload]).catch(() => {
      throw new Problem(422, 'A payload was altered, belongs to another namespace, or needs a master key that the service no longer has.');
    });
    const opener = Object.entries(opened?.metadata ?? {}).map(([name, value]) => [name, Buffer.from(value).toString('base64')]);
    return { metadata: Object.fromEntries(opener), data: Buffer.from(opened?.data ?? []).toString('base64') };
  }
}
