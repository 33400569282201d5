import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether a browser reaches the service over TLS, by this request or by PUBLIC_URL. */
    readonly isSecure: boolean;
    readonly sessionCookieName: string;
    /** The session or the API key of the request's cookie. */
    readonly sessionCookie: string | undefined;
  }
}

const SESSION = 'Session';
/** Browsers accept such a cookie only from the host itself and over TLS, so that no sibling domain can replace it. */
const SESSION_OF_HOST = '__Host-Session';

export function decorateCookies(app: FastifyInstance, publicUrl: string | undefined): void {
  const isPublicUrlSecure = publicUrl?.startsWith('https:') ?? false;
  const sessionCookieName = isPublicUrlSecure ? SESSION_OF_HOST : SESSION;
  app.decorateRequest('isSecure', {
    getter() {
      return isPublicUrlSecure || this.protocol === 'https' || this.headers['x-forwarded-proto'] === 'https';
    },
  });
  app.decorateRequest('sessionCookieName', { getter: () => sessionCookieName });
  app.decorateRequest('sessionCookie', {
    getter() {
      const cookies = app.parseCookie(this.headers.cookie ?? '');
      // Programs send their API key as `Session` in any case.
      return cookies[sessionCookieName] ?? cookies[SESSION];
    },
  });
}

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
  const { sessionCookieName, isSecure } = request;
  const common = { httpOnly: true, path: '/', secure: isSecure } as const;
  reply.header('set-cookie', app.serializeCookie(sessionCookieName, value, { ...common, ...options }));
  // The cookie of an earlier version, which would count after a sign-out.
  if (sessionCookieName !== SESSION)
    reply.header('set-cookie', app.serializeCookie(SESSION, '', { ...common, sameSite: 'strict', maxAge: 0 }));
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
  const options = { httpOnly: true, sameSite: 'strict', path: SIGN_IN_PATH, secure: request.isSecure, maxAge } as const;
  reply.header('set-cookie', app.serializeCookie(BROWSER, value, options));
}

export function readBrowserCookie(app: Pick<FastifyInstance, 'parseCookie'>, { headers }: FastifyRequest): string | undefined {
  return app.parseCookie(headers.cookie ?? '')[BROWSER];
}
