import { z } from 'zod';
import { disableTotp } from '../../services/totp/disable.js';
import { enableTotp } from '../../services/totp/enable.js';
import { requestSecret } from '../../services/totp/request-secret.js';
import { ConfirmTotp, TotpSecret } from '../../services/totp/wire.js';
import type { RouteDeps, ZodApp } from '../http/route.js';

const PATH = '/platformapi/session/totp';

/** Two-factor authentication for the sign-in with a password: the code of an authenticator app (TOTP). */
export function totpRoutes(app: ZodApp, { keyring, keys }: RouteDeps): void {
  const config = { access: ['analyst', 'admin'] as const, changes: [], allowsSetUp: true };

  app.post(PATH, { config, schema: { hide: true, response: { 201: TotpSecret } } }, async ({ context }, reply) =>
    reply.status(201).send(await requestSecret(context, keyring)),
  );

  app.put(PATH, { config, schema: { hide: true, body: ConfirmTotp, response: { 204: z.null() } } }, async ({ body, context }, reply) => {
    await enableTotp(context, keyring, body.code);
    keys.forget();
    return reply.status(204).send(null);
  });

  app.post(`${PATH}/remove`, { config, schema: { hide: true, body: ConfirmTotp, response: { 204: z.null() } } }, async (request, reply) => {
    await disableTotp(request.context, keyring, request.body.code);
    keys.forget();
    return reply.status(204).send(null);
  });
}
