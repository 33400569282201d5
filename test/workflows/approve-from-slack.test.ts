import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMPUTERS, INDICATORS, PEOPLE } from '../../connectors/kit/stand-in/company.js';
import { createAuthority } from '../../connectors/kit/stand-in/stand-in.js';
import type { Proposal } from '../../domain/response/proposal.js';
import { createLogger } from '../../platform/log.js';
import type { ChatIdentity, ChatLinkCode } from '../../services/chat-identities/wire.js';
import type { Connection } from '../../services/connections/wire.js';
import type { Channel } from '../../services/notifications/wire.js';
import type { SkillRun } from '../../services/skill-runs/wire.js';
import { startMailServer } from '../support/mail-server.js';
import { ago, changeChatLinkCodes } from '../support/rows.js';
import { waitFor } from '../support/service.js';
import { listButtons, listFacts, type SlackStandIn, startSlack } from '../support/slack.js';
import { dumpTables, readHistories } from '../support/stored-texts.js';
import { inviteAndJoin } from '../support/users.js';
import { createRule } from '../support/webhook-receiver.js';
import { createConnection, startWithThirdParties, type WithThirdParties } from '../support/with-third-parties.js';

const [PC, OTHER_PC, SPARE_PC] = COMPUTERS;
const [DANA] = PEOPLE;
const lines: string[] = [];
const PASSWORD = `password-${randomUUID()}`;
const IDENTITIES = '/platformapi/session/chat-identities';

let kit: WithThirdParties;
let slack: SlackStandIn;
let mailServer: Awaited<ReturnType<typeof startMailServer>>;
let requester: Awaited<ReturnType<typeof inviteAndJoin>>;
let second: Awaited<ReturnType<typeof inviteAndJoin>>;

beforeAll(async () => {
  const authority = await createAuthority();
  slack = await startSlack(authority);
  mailServer = await startMailServer(authority, { name: 'soc', password: PASSWORD });
  kit = await startWithThirdParties({
    authority,
    allow: [slack.address, mailServer.address],
    env: { PUBLIC_URL: 'https://investigator.example', SLACK_API_URL: slack.apiUrl, SLACK_APPS: slack.app },
    log: createLogger('trace', 'test', { to: { write: (line) => void lines.push(line) } }),
  });
  const { service, thirdParties } = kit;
  thirdParties.standIns.endpointDetection.state.actionSeconds = 1;
  for (const { connector, ...fields } of Object.values(thirdParties.connections)) {
    const needsTwo = connector === 'endpoint-detection' ? { needs_second_person: true } : {};
    await createConnection(service, { connector, instance_name: `Our ${connector}`, ...fields, ...needsTwo });
  }
  for (const channel of [
    await createChannel('slack', slack.settings('#soc'), slack.tokens),
    await createChannel('slack on call', slack.settings('#oncall'), slack.tokens),
    await createChannel('email', { ...mail(), username: 'soc' }, { password: PASSWORD }),
  ])
    await createRule(service, channel.channel_id, { events: ['proposal.waiting', 'run.waiting'] });
  requester = await inviteAndJoin(service);
  second = await inviteAndJoin(service);
}, 120_000);
afterAll(async () => {
  await kit?.stop();
  await slack?.stop();
  await mailServer?.stop();
});

const mail = () => ({ host: 'localhost', port: mailServer.port, from: 'soc@harbour.example', to: ['oncall@harbour.example'] });

async function createChannel(name: string, settings: object, secrets: object): Promise<Channel> {
  const body = { organization_code: 'DEMO', name, kind: name.split(' ')[0], settings, secrets };
  const reply = await kit.service.request<Channel>('POST', '/platformapi/notification-channels', { body });
  expect(reply).toMatchObject({ status: 201 });
  return reply.body;
}

const readProposal = async (id: string) => (await kit.service.request<Proposal>('GET', `/platformapi/proposals/${id}`)).body;

/** Investigates malware, and returns its proposal with the message that asks for the decision. */
async function proposeIsolation(dnsName: string) {
  const { alert_id: alertId } = await kit.service.sendAlert({
    alert_type: 'Malware detected',
    alert_content: `host=${dnsName} user=${DANA.email} file=parcel-label.exe sha256=${INDICATORS.malwareSha256} action=quarantined`,
  });
  await kit.service.waitForStatus(alertId, 15);
  const { proposals } = await kit.service.readCase(alertId);
  const proposal = proposals.find(({ skill_id: skill }) => skill === 'Isolate machine') ?? expect.fail('no isolation was proposed');
  const message = await waitForMessage(proposal.proposal_id);
  return { proposal, message, alertId };
}

const findMessage = (proposalId: string, channel = 'C0SOC') =>
  slack.state.messages.find((message) => message.channel === channel && listButtons(message).some(({ value }) => value === proposalId));

/** Waits also until the service knows the place of its message: a click before that is ignored. */
async function waitForMessage(id: string, channel = 'C0SOC') {
  const message = await waitFor('the message in Slack', async () => findMessage(id, channel));
  const { pg } = kit.service.database;
  await waitFor('its place', async () => (await pg`select from notification_messages where reference->>'ts' = ${message.ts}`).length > 0);
  return message;
}

const createCode = async (session: string) =>
  (await kit.service.request<ChatLinkCode>('POST', `${IDENTITIES}/code`, { key: session })).body.code;

/** Also confirms the account in the dashboard. */
async function link(user: { session: string }, slackUser: string) {
  const reply = await slack.submitCode(slackUser, await createCode(user.session));
  for (const { identity_id: id } of await listIdentities(user.session)) await confirm(user, id);
  return reply;
}

const confirm = (user: { session: string }, id: string) =>
  kit.service.request('POST', `${IDENTITIES}/${id}/confirm`, { key: user.session });

describe('a malicious alert', () => {
  it('asks in Slack and by email; a second person approves by the button, the requester and strangers cannot', {
    timeout: 240_000,
  }, async () => {
    const { proposal, message, alertId } = await proposeIsolation(PC.dnsName);
    const id = proposal.proposal_id;
    const facts = [
      `Action: ${proposal.sentence}`,
      expect.stringMatching(new RegExp(`^Target: ${PC.dnsName}.*Our endpoint-detection`)),
      expect.stringContaining(`Requested by: the investigation of alert ${alertId} (`),
      expect.stringContaining('Approvals: Needs 2 people.'),
      expect.stringMatching(/^Expires: \d{4}-\d\d-\d\d \d\d:\d\d UTC$/),
    ];
    expect(listFacts(message)).toEqual(facts);
    const address = `https://investigator.example/cases/${proposal.case_id}?proposal=${id}`;
    expect(message.text).toContain(address);
    const letter = await waitFor('the email', async () => readMail(`${id}`));
    for (const part of [proposal.sentence, PC.dnsName, 'Requested by: the investigation', 'Expires: ', address])
      expect(letter).toContain(part);
    const [approve, refuse] = listButtons(message);
    if (!approve || !refuse) return expect.fail('the message has no buttons');

    // A stranger gets an explanation, and a button that links an account.
    await slack.click('U0SECOND', message, approve);
    expect(slack.lastReplyTo('U0SECOND')).toContain('is not linked');
    const linkButton = listButtons(slack.state.ephemeral.at(-1) ?? expect.fail('no reply'))[0] ?? expect.fail('no button');
    await slack.click('U0SECOND', { ...message, ts: '1700.9' }, linkButton);
    expect(slack.state.views).toHaveLength(1);
    expect(await slack.submitCode('U0SECOND', 'link_wrong')).toMatchObject({ response_action: 'errors' });
    expect(await link(requester, 'U0REQUEST')).toMatchObject({ response_action: 'update' });
    // A code alone links nothing: a person confirms the account that entered it.
    expect(await slack.submitCode('U0SECOND', await createCode(second.session))).toMatchObject({ response_action: 'update' });
    await slack.click('U0SECOND', message, approve);
    expect(slack.lastReplyTo('U0SECOND')).toContain('You have not confirmed');
    const [pending] = await listIdentities(second.session);
    expect(pending).toMatchObject({ workspace_name: 'harbour', app_id: 'A0INVEST', chat_user_name: 'u0second', confirmed_at: null });
    expect(await confirm(second, pending?.identity_id ?? '')).toMatchObject({ status: 204 });
    expect(await readProposal(id)).toMatchObject({ state: 'waiting', decisions: [] });

    // The requester asks for the isolation in the dashboard, and is refused as the second person.
    await kit.service.request('POST', `/platformapi/proposals/${id}/approve`, { key: requester.session, body: {} });
    await slack.click('U0REQUEST', message, approve);
    expect(slack.lastReplyTo('U0REQUEST')).toContain('A second person must approve it.');
    expect(await readProposal(id)).toMatchObject({ state: 'waiting', decisions: [{ by: requester.name, decision: 'approve' }] });

    // Clicks on another message, and of another app or workspace, are ignored.
    const replies = slack.state.ephemeral.length;
    const click = slack.toClick('U0SECOND', message, approve);
    await slack.deliver({ ...click, container: { ...click.container, message_ts: '1.0' } });
    await slack.deliver({ ...click, container: { ...click.container, channel_id: 'C0OTHER' } });
    await slack.deliver({ ...click, team: { id: 'T0OTHER' } });
    await slack.deliver({ ...click, user: { ...click.user, team_id: 'T0OTHER' } });
    await slack.deliver({ ...click, api_app_id: 'A0OTHER' });
    await slack.deliver({ ...click, actions: [] });
    await slack.deliver({ type: 'block_actions' });
    expect(slack.state.ephemeral).toHaveLength(replies);
    expect((await readProposal(id)).decisions).toHaveLength(1);

    // The second person approves. A repeated envelope and a repeated click change nothing.
    const envelope = randomUUID();
    await slack.deliver(click, envelope);
    expect(slack.lastReplyTo('U0SECOND')).toContain(`Approved by ${requester.name} and ${second.name}`);
    await slack.deliver(click, envelope);
    expect(slack.state.ephemeral).toHaveLength(replies + 1);
    await slack.deliver(click);
    expect(slack.lastReplyTo('U0SECOND')).toContain('no longer waits for approval');
    await waitFor('the isolation', async () => (await readProposal(id)).state === 'done');
    await slack.click('U0SECOND', message, refuse);
    expect(slack.lastReplyTo('U0SECOND')).toContain('cannot be refused any more');
    const { decisions } = await readProposal(id);
    expect(decisions.map(({ by, decision }) => [by, decision])).toEqual([
      [requester.name, 'approve'],
      [second.name, 'approve'],
    ]);
    expect(kit.thirdParties.standIns.endpointDetection.state.actions.filter(({ type }) => type === 'Isolate')).toHaveLength(1);

    // The message and an email show the result; the buttons are gone.
    await waitFor('the update', async () => listButtons(message).length === 0);
    expect(listFacts(message)).toContainEqual(expect.stringContaining(`Result: Approved by ${requester.name} and ${second.name}.`));
    await waitFor('the email', async () => readMail('Result: Approved by'));
    const audit = await kit.service.database
      .pg`select details, principal_name from audit_log where action = 'proposal.approve' order by entry_no`;
    expect(audit).toMatchObject([
      { principal_name: requester.name },
      { principal_name: second.name, details: { via: `slack ${slack.address}/T0HARBOUR/U0SECOND` } },
    ]);
  });
});

describe('a manual run that needs a second person', () => {
  it('asks in Slack and by email; its requester is refused, and a second person approves by the button', {
    timeout: 120_000,
  }, async () => {
    const { items: connections } = (await kit.service.request<{ items: Connection[] }>('GET', '/platformapi/connections')).body;
    const { connection_id: connection } =
      connections.find(({ connector }) => connector === 'endpoint-detection') ?? expect.fail('no connection');
    const { actions } = kit.thirdParties.standIns.endpointDetection.state;
    const countIsolations = () => actions.filter(({ type, machineId }) => type === 'Isolate' && machineId === SPARE_PC.machineId).length;
    const readRun = async (id: string) => (await kit.service.request<SkillRun>('GET', `/platformapi/skill-runs/${id}`)).body;
    const request = async () => {
      const asked = await kit.service.request<SkillRun>('POST', `/platformapi/connections/${connection}/skills/isolate-machine`, {
        key: requester.session,
        body: { input: { machine_id: SPARE_PC.machineId, comment: 'Stolen.' }, confirm: true },
      });
      expect(asked).toMatchObject({ status: 202, body: { state: 'proposed' } });
      return asked.body.run_id;
    };
    const id = await request();
    const message = await waitForMessage(id);
    expect(listFacts(message)).toEqual([
      expect.stringContaining('Action: Isolate '),
      expect.stringContaining('Our endpoint-detection'),
      `Requested by: ${requester.name}`,
      'Approvals: Needs a second person.',
      expect.stringContaining('Expires: '),
    ]);
    const address = `https://investigator.example/integrations/endpoint-detection?tab=skills&run=${id}`;
    const letter = await waitFor('the email', async () => readMail(id));
    for (const part of [`Requested by: ${requester.name}`, address]) expect(letter).toContain(part);
    const [approve, refuse] = listButtons(message);
    if (!approve || !refuse) return expect.fail('the message has no buttons');

    await slack.click('U0REQUEST', message, approve);
    expect(slack.lastReplyTo('U0REQUEST')).toContain('You requested this run');
    await slack.click('U0STRANGER', message, approve);
    expect(slack.lastReplyTo('U0STRANGER')).toContain('is not linked');
    // The button of a run does not decide about a proposal with its id.
    await slack.click('U0SECOND', message, { ...approve, action_id: 'approve-proposal' });
    expect(await readRun(id)).toMatchObject({ state: 'proposed', decided_by: null });
    expect(countIsolations()).toBe(0);

    await slack.click('U0SECOND', message, approve);
    expect(slack.lastReplyTo('U0SECOND')).toContain(`Approved by ${second.name}.`);
    await waitFor('the isolation', async () => (await readRun(id)).state === 'done');
    await slack.click('U0SECOND', message, refuse);
    expect(slack.lastReplyTo('U0SECOND')).toContain('does not wait for a decision');
    expect(countIsolations()).toBe(1);
    await waitFor('the update', async () => listButtons(message).length === 0);
    expect(listFacts(message)).toContainEqual(expect.stringContaining(`Result: Approved by ${second.name}.`));

    // The requester can refuse.
    const withdrawn = await request();
    const other = await waitForMessage(withdrawn);
    await slack.click('U0REQUEST', other, listButtons(other)[1] ?? expect.fail('no button'));
    expect(await readRun(withdrawn)).toMatchObject({ state: 'refused', decided_by: requester.name });
    await waitFor('the update', async () => listFacts(other).includes(`Result: Refused by ${requester.name}.`));
    expect(countIsolations()).toBe(1);
  });
});

const listIdentities = async (session: string) =>
  (await kit.service.request<{ items: ChatIdentity[] }>('GET', IDENTITIES, { key: session })).body.items;

describe('a linked account', () => {
  it('needs a code that counts once, for its time, and belongs to one user', { timeout: 120_000 }, async () => {
    const person = await inviteAndJoin(kit.service);
    const other = await inviteAndJoin(kit.service);
    const code = await createCode(person.session);
    expect(await slack.submitCode('U0FIRST', code)).toMatchObject({ response_action: 'update' });
    expect(await slack.submitCode('U0THIEF', code)).toMatchObject({ response_action: 'errors' });
    expect(await slack.submitCode('U0FIRST', await createCode(other.session))).toMatchObject({
      errors: { code: expect.stringContaining('another user') },
    });
    const late = await createCode(other.session);
    await changeChatLinkCodes(kit.service, { userUuid: other.userUuid }, { expiresAt: ago({ seconds: 1 }) });
    expect(await slack.submitCode('U0LATE', late)).toMatchObject({ response_action: 'errors' });
    expect(await listIdentities(other.session)).toEqual([]);
    const workspace = `${slack.address}/T0HARBOUR`;
    const [linked] = await listIdentities(person.session);
    expect(linked).toMatchObject({ kind: 'slack', workspace, chat_user_id: 'U0FIRST' });
    const path = `${IDENTITIES}/${linked?.identity_id}`;
    expect(await kit.service.request('DELETE', path, { key: other.session })).toMatchObject({ status: 404 });
    expect(await kit.service.request('DELETE', path, { key: person.session })).toMatchObject({ status: 204 });
    expect(await listIdentities(person.session)).toEqual([]);
    const audit = await kit.service.database.pg`
      select action, details from audit_log where principal_uuid = ${person.userUuid} and action like 'chat-identity.%' order by entry_no`;
    const details = { account: `slack ${workspace}/U0FIRST` };
    expect(audit).toMatchObject([
      { action: 'chat-identity.code' },
      { action: 'chat-identity.link', details },
      { action: 'chat-identity.unlink', details },
    ]);
    // A key is no signed-in person.
    expect(await kit.service.request('POST', `${IDENTITIES}/code`)).toMatchObject({ status: 409 });
  });

  it('decides with the role of its user only, and nothing after the deactivation', { timeout: 120_000 }, async () => {
    const { message, proposal } = await proposeIsolation(OTHER_PC.dnsName);
    const [approve, refuse] = listButtons(message);
    if (!approve || !refuse) return expect.fail('the message has no buttons');
    const organization = { organization_code: 'ELSEWHERE', name: 'Elsewhere' };
    await kit.service.request('POST', '/platformapi/organizations', { body: organization });
    await link(await inviteAndJoin(kit.service, 'admin', 'ELSEWHERE'), 'U0ELSEWHERE');
    await slack.click('U0ELSEWHERE', message, approve);
    expect(slack.lastReplyTo('U0ELSEWHERE')).toContain('no role in this organization');
    const leaver = await inviteAndJoin(kit.service);
    await link(leaver, 'U0LEAVER');
    await kit.service.request('POST', `/platformapi/users/${leaver.userUuid}/deactivate`);
    await slack.click('U0LEAVER', message, refuse);
    expect(slack.lastReplyTo('U0LEAVER')).toContain('is not linked');
    expect(await readProposal(proposal.proposal_id)).toMatchObject({ state: 'waiting', decisions: [] });

    // Slack renews connections. A click afterwards still counts.
    const before = slack.state.sockets[0] ?? expect.fail('no connection');
    before.send(JSON.stringify({ type: 'disconnect', reason: 'refresh_requested' }));
    await waitFor('a new connection', async () => slack.state.sockets.some((socket) => socket !== before));
    await waitFor('the end of the old connection', async () => !slack.state.sockets.includes(before));
    // Channels of the same app share a connection, which gets the clicks of both.
    const onCall = await waitForMessage(proposal.proposal_id, 'C0ONCALL');
    expect(slack.state.sockets).toHaveLength(1);
    const colleague = await inviteAndJoin(kit.service);
    await link(colleague, 'U0COLLEAGUE');
    await slack.click('U0COLLEAGUE', onCall, refuse);
    expect(slack.lastReplyTo('U0COLLEAGUE')).toContain(`Refused by ${colleague.name}`);
    for (const each of [message, onCall])
      await waitFor('the update', async () => listFacts(each).includes(`Result: Refused by ${colleague.name}.`));
    expect(await readProposal(proposal.proposal_id)).toMatchObject({ state: 'refused' });
  });
});

it('shows no secret in the database, the histories or the log', { timeout: 60_000 }, async () => {
  const secrets = new RegExp([PASSWORD, slack.tokens.bot_token, slack.tokens.app_token].join('|'));
  const [tables, histories] = [await dumpTables(kit.service), await readHistories(kit.service)];
  expect(tables).toContain('#oncall');
  expect(tables).not.toMatch(secrets);
  expect(histories).toContain('deliverNotifications');
  expect(histories).not.toMatch(secrets);
  expect(lines.join('')).not.toMatch(secrets);
  expect(lines.length).toBeGreaterThan(0);
});

/** The text of the last mail that contains this. */
function readMail(part: string): string | null {
  const decoded = mailServer.mails.map((raw) => raw.replaceAll('=\r\n', '').replaceAll('=3D', '='));
  return decoded.findLast((text) => text.includes(part)) ?? null;
}
