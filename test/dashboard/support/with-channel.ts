import { startWithThirdParties, type WithThirdParties } from '../../support/with-third-parties.js';

/** Starts a service with the dashboard, the third parties, and a notification channel. */
export async function startWithChannel(): Promise<WithThirdParties> {
  const started = await startWithThirdParties({ dashboard: true });
  const channel = { name: 'On-call', kind: 'webhook', settings: { url: 'https://hooks.example.com/soc' } };
  await started.service.request('POST', '/platformapi/notification-channels', { body: { organization_code: 'DEMO', ...channel } });
  return started;
}
