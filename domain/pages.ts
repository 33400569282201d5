/** The dashboard's pages: the router serves each in the browser, and the API answers each address with the dashboard. */
export const PAGES = {
  overview: '/',
  signIn: '/sign-in',
  join: '/join',
  handover: '/handover',
  alerts: '/alerts',
  alert: '/alerts/$alertId',
  cases: '/cases',
  case: '/cases/$caseId',
  entity: '/entity',
  records: '/records',
  integrations: '/integrations',
  integration: '/integrations/$connector',
  investigators: '/investigators',
  investigator: '/investigators/$playbookId',
  settings: '/settings',
} as const;

/** Of no site: only a path stays on it. */
const ORIGIN = 'https://page.invalid';

/**
 * The path as a browser reads it if it leads to a page of this site, else the overview: a link to the sign-in page must not redirect to
 * another site. A browser drops tabs and line breaks, so that `/%09/evil.example` would become the address of another site.
 */
export function toOwnPath(to: string | undefined): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are the characters to refuse.
  if (to === undefined || !to.startsWith('/') || /[\u0000-\u001f\u007f]/.test(to) || !URL.canParse(to, ORIGIN)) return PAGES.overview;
  const { origin, pathname, search, hash } = new URL(to, ORIGIN);
  return origin === ORIGIN && /^\/(?:[a-z]|$)/i.test(pathname) ? `${pathname}${search}${hash}` : PAGES.overview;
}
