import { z } from 'zod';
import { readTotp, setPendingTotp, setTotp } from '../../db/identity/totp.js';
import type { Principal } from '../../domain/identity/identity.js';
import { TotpCode } from '../../domain/identity/user.js';
import { type CommandError, conflict, invalid } from '../../services/errors.js';
import type { RouteDeps, ZodApp } from '../http/route.js';
import { acceptTotp, createTotp } from '../sign-in/totp.js';

const Confirm = z.strictObject({ code: TotpCode });

/** A second step of the sign-in with a password: the code of an authenticator app (TOTP). */
export function totpRoutes(app: ZodApp, { database: { db }, keyring, guesses }: RouteDeps): void {
  const access = ['analyst', 'admin'] as const;

  async function requireLocalUser({ uuid, sessionUuid }: Principal) {
    const user = sessionUuid === null ? null : await readTotp(db, uuid);
    if (user === null) throw conflict('Only a user who signed in with a password can change the second step.');
    return user;
  }

  app.post('/platformapi/session/totp', { config: { access, changes: [] }, schema: { hide: true } }, async ({ principal }, reply) => {
    const user = await requireLocalUser(principal);
    if (user.totp !== null) throw conflict('The second step is on already. Turn it off first.');
    const { secret, uri, sealed } = createTotp(keyring, principal.uuid, user.email ?? principal.name);
    await setPendingTotp(db, principal.uuid, sealed);
    return reply.status(201).send({ secret, uri });
  });

  const config = { access, changes: [] };
  app.put('/platformapi/session/totp', { config, schema: { hide: true, body: Confirm } }, async (request, reply) => {
    const { principal, body } = request;
    const { totpPending } = await requireLocalUser(principal);
    if (totpPending === null) throw conflict('Request a secret first.');
    if (!(await acceptTotp(db, keyring, principal.uuid, totpPending, body.code))) throw wrongCode();
    await setTotp(db, principal, totpPending);
    return reply.status(204).send(null);
  });

  app.post('/platformapi/session/totp/remove', { config, schema: { hide: true, body: Confirm } }, async (request, reply) => {
    const { principal, body } = request;
    const { totp, email } = await requireLocalUser(principal);
    if (totp === null) throw conflict('The second step is off.');
    guesses.requireFewFailures(request, email ?? principal.uuid);
    if (!(await acceptTotp(db, keyring, principal.uuid, totp, body.code))) {
      guesses.count(request, email ?? principal.uuid);
      throw wrongCode();
    }
    await setTotp(db, principal, null);
    return reply.status(204).send(null);
  });
}

function wrongCode(): CommandError {
  return invalid([{ pointer: '#/code', detail: 'The code is wrong, or was used before. Enter the next one.' }]);
}
