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

/** Only paths of this site: a link to the sign-in page must not redirect to another site. */
export function toOwnPath(to: string | undefined): string {
  return to !== undefined && /^\/(?![/\\])/.test(to) ? to : PAGES.overview;
}
