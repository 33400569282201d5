import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/**
 * A cookie that no script can read. A session of a user is `lax`, because the identity provider leads the browser back to a page;
 * the API refuses changes from pages of other sites in any case.
 */
export function setSessionCookie(
  app: Pick<FastifyInstance, 'serializeCookie'>,
  request: FastifyRequest,
  reply: FastifyReply,
  value: string,
  options: { sameSite: 'strict' | 'lax'; maxAge?: number },
): void {
  const cookie = app.serializeCookie('Session', value, { httpOnly: true, path: '/', secure: isSecure(request), ...options });
  reply.header('set-cookie', cookie);
}

export function isSecure({ protocol, headers }: FastifyRequest): boolean {
  return protocol === 'https' || headers['x-forwarded-proto'] === 'https';
}
