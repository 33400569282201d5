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

const BROWSER = 'Browser';
const SIGN_IN_PATH = '/platformapi/session';

/** Marks a browser in which a user signed in with a password. Only the next sign-in reads it. */
export function setBrowserCookie(
  app: Pick<FastifyInstance, 'serializeCookie'>,
  request: FastifyRequest,
  reply: FastifyReply,
  value: string,
  maxAge: number,
): void {
  const options = { httpOnly: true, sameSite: 'strict', path: SIGN_IN_PATH, secure: isSecure(request), maxAge } as const;
  reply.header('set-cookie', app.serializeCookie(BROWSER, value, options));
}

export function readBrowserCookie(app: Pick<FastifyInstance, 'parseCookie'>, { headers }: FastifyRequest): string | undefined {
  return app.parseCookie(headers.cookie ?? '')[BROWSER];
}

export function isSecure({ protocol, headers }: FastifyRequest): boolean {
  return protocol === 'https' || headers['x-forwarded-proto'] === 'https';
}
