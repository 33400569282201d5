import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestService, type TestService, waitFor } from '../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

/** Subscribes as an open page does. */
async function watch(key: string) {
  const leaving = new AbortController();
  const response = await fetch(`${service.url}/platformapi/events`, { headers: { cookie: `Session=${key}` }, signal: leaving.signal });
  let heard = '';
  const reading = (async () => {
    for await (const chunk of response.body ?? []) heard += Buffer.from(chunk).toString();
  })().catch(() => {});
  return {
    response,
    topics: () => [...heard.matchAll(/^data: (.+)$/gm)].flatMap(([, topics]) => topics?.split(' ') ?? []),
    heard: () => heard,
    async leave() {
      leaving.abort();
      await reading;
    },
  };
}

describe('live updates', () => {
  it('notify an open page about a new and a completed alert, without its content', async () => {
    const { api_key } = await service.createKey('analyst');
    const page = await watch(api_key);
    expect(page.response.headers.get('content-type')).toBe('text/event-stream');
    const { alert_id } = await service.sendAlert({ alert_type: 'Live', alert_content: 'a secret of somebody' });
    await waitFor('the page to receive the alert event', async () => page.topics().includes('alerts'));
    const before = page.topics().length;
    await service.waitForStatus(alert_id, 15, 20);
    await waitFor('the page to receive the completion event', async () => page.topics().length > before);
    expect(page.heard()).not.toMatch(/secret|DEMO/);
    await page.leave();
  });

  it('require a role that may read', async () => {
    const { api_key } = await service.createKey('sender');
    expect(await service.request('GET', '/platformapi/events', { key: null })).toMatchObject({ status: 401 });
    expect(await service.request('GET', '/platformapi/events', { key: api_key })).toMatchObject({ status: 403 });
  });

  it('do not delay a restart of the service', async () => {
    const { api_key } = await service.createKey('analyst');
    const page = await watch(api_key);
    await service.restartApi();
    await page.leave();
    expect(await service.request('GET', '/platformapi/session', { key: api_key })).toMatchObject({ status: 200 });
  });
});
