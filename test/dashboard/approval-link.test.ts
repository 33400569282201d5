import { afterAll, beforeAll, expect, test } from 'vitest';
import { findOrganization } from '../../db/identity/organizations.js';
import type { CaseDetail } from '../../domain/case/case.js';
import { linkChatAccount } from '../../services/chat-identities/link.js';
import { asService } from '../../services/context.js';
import { investigate, proposeIsolation } from '../api/support/records.js';
import { describeInBrowser, expectAccessible, newPage } from '../support/dashboard.js';
import { startTestService, type TestService } from '../support/service.js';
import { storeConnection } from '../support/stored-connection.js';
import { inviteAndJoin, PASSWORD } from '../support/users.js';

describeInBrowser('a person who gets a message', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService({ dashboard: true, worker: false });
  });
  afterAll(() => service?.stop());

  async function open(path: string, email: string) {
    const page = await newPage(service.url);
    await page.goto(path);
    await page.waitForURL('**/sign-in?to=*');
    await page.getByLabel('Email address').fill(email);
    await page.locator('input[type=password]').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    return page;
  }

  test('follows its link through the sign-in to the dialog of the proposal, and sees the result later', async () => {
    const connectionId = await storeConnection(service.database.db, { name: 'Endpoints' });
    const alert = await service.sendAlert();
    const caseId = await investigate(service, alert);
    await proposeIsolation(service, alert.alert_id, connectionId);
    const read = async () => (await service.request<CaseDetail>('GET', `/platformapi/cases/${caseId}`)).body.proposals;
    const [proposal] = await read();
    const link = `/cases/${caseId}?proposal=${proposal?.proposal_id}`;
    const { email, name } = await inviteAndJoin(service);
    const page = await open(link, email);
    const dialog = page.getByRole('dialog', { name: 'Approve this action?' });
    await dialog.getByText('Isolate files.north.example of Demo organization from the network').waitFor();
    await expectAccessible(page);
    // The link alone decides nothing.
    expect(await read()).toMatchObject([{ state: 'waiting', decisions: [] }]);
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Approved', { exact: true }).waitFor();
    await page.goto(link);
    const explanation = page.getByRole('status').filter({ hasText: 'This action no longer waits for approval' });
    await explanation.getByText(`Approved by ${name}.`, { exact: false }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await expectAccessible(page);
  });

  test('links a Slack account with a code, and removes the link', async () => {
    const { email } = await inviteAndJoin(service);
    const page = await open('/cases', email);
    const openDialog = async () => {
      await page.getByRole('button', { name: /^Signed in as/ }).click();
      await page.getByRole('menuitem', { name: 'Link Slack' }).click();
    };
    await openDialog();
    const dialog = page.getByRole('dialog', { name: 'Link Slack' });
    await dialog.getByRole('button', { name: 'Create code' }).click();
    const code = await dialog.locator('code').innerText();
    await expectAccessible(page);
    const organization = await findOrganization(service.database.db, 'DEMO');
    const names = { workspaceName: 'harbour', chatUserName: 'ada' };
    const account = { kind: 'slack', workspace: 'slack.com/T1', appId: 'A7', chatUserId: 'U42', ...names } as const;
    await linkChatAccount(asService(service.database.db), account, code, organization?.organization_uuid ?? '');
    await page.reload();
    await openDialog();
    const linked = dialog.getByText('ada (U42) in harbour (slack.com/T1), through the app A7', { exact: false });
    await linked.getByText('decides nothing yet', { exact: false }).waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await dialog.getByRole('button', { name: 'Confirm' }).waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await linked.waitFor({ state: 'detached' });
  });
});
