import type { CreatedRemoteAgent } from '../../../services/agents/wire.js';
import type { CreatedApiKey } from '../../../services/api-keys/wire.js';
import type { ChatLinkCode } from '../../../services/chat-identities/wire.js';
import type { Connection } from '../../../services/connections/wire.js';
import type { CreatedCredentialLink } from '../../../services/credential-links/wire.js';
import type { CreatedInvitation } from '../../../services/invitations/wire.js';
import { storeChatIdentity } from '../../support/rows.js';
import type { TestService } from '../../support/service.js';

let made = 0;

/** Everything that gives access and that an admin can leave behind. Returns it with functions that use each. */
export async function createBelongings(service: TestService, session: string, userUuid: string, code = 'DEMO') {
  made += 1;
  const name = `left ${made} ${code}`;
  const post = async <Body>(path: string, body: object, key = session): Promise<Body> => {
    const reply = await service.request<Body>('POST', `/platformapi/${path}`, { key, body });
    if (reply.status !== 201) throw new Error(`${path} was answered ${reply.status}: ${JSON.stringify(reply.body)}`);
    return reply.body;
  };
  const organization_code = code;
  const personal = await post<CreatedApiKey>('api-keys', { name: `${name} own`, role: 'admin', organization_code });
  const forwarder = await post<CreatedApiKey>('api-keys', { name: `${name} siem`, role: 'sender', organization_code, service: name });
  const script = await post<CreatedApiKey>('api-keys', { name: `${name} script`, role: 'admin', organization_code, service: name });
  // The creator of a key answers for what the key creates.
  const ofScript = await post<CreatedApiKey>(
    'api-keys',
    { name: `${name} second`, role: 'analyst', organization_code, service: name },
    script.api_key,
  );
  const invited = { email: `new${made}@corp.example`, role: 'analyst', organization_code };
  const invitation = await post<CreatedInvitation>('invitations', invited, made % 2 === 0 ? session : script.api_key);
  const agent = await post<CreatedRemoteAgent>('remote-agents', { organization_code, name });
  const define = { organization_code, connector: 'endpoint-detection' };
  const settings = { auth_url: 'https://login.example', api_host: 'https://api.example', scope_resource: 'https://api.example' };
  const link = await post<CreatedCredentialLink>('credential-links', { ...define, instance_name: `${name} by link`, settings });
  const credentials = { tenant_id: 'tenant', client_id: 'client', client_secret: 'secret' };
  const routed = { ...define, instance_name: `${name} routed`, settings, credentials, remote_agent: agent.agent_id };
  const connection = agent.confirmed_at === null ? null : await post<Connection>('connections', routed);
  const { code: linkCode } = await post<ChatLinkCode>('session/chat-identities/code', {});
  await storeChatIdentity(service, { userUuid, appId: `A${made}`, chatUserId: `U${made}` });

  const status = async (path: string, key: string) => (await service.request('GET', `/platformapi/${path}`, { key })).status;
  const bearer = async (method: string, path: string, token: string, body?: object) => {
    const headers = { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
    const reply = await fetch(`${service.url}${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
    await reply.body?.cancel();
    return reply.status;
  };
  const { pg } = service.database;
  return {
    ...{ name, personal, forwarder, script, ofScript, invitation, agent, link, connection, linkCode },
    /** Of each kind, whether it still works. */
    async listWorking(): Promise<string[]> {
      const token = link.path.split('#')[1] ?? '';
      const alert = { organization_code, alert_provider: 'siem', alert_type: 'Odd sign-in', alert_content: `user=dana ${name}` };
      const sent = await service.request('POST', '/platformapi/alerts', { key: forwarder.api_key, body: alert });
      const [open] = await pg<{ invitations: number; codes: number; accounts: number }[]>`
        select (select count(*)::int from invitations where invitation_uuid = ${invitation.invitation_uuid} and ended_at is null) as invitations,
          (select count(*)::int from chat_link_codes where user_uuid = ${userUuid}) as codes,
          (select count(*)::int from chat_identities where user_uuid = ${userUuid}) as accounts`;
      const works = {
        session: (await status('session', session)) === 200,
        'own key': (await status('session', personal.api_key)) === 200,
        forwarder: sent.status === 201,
        script: (await status('session', script.api_key)) === 200,
        'key of script': (await status('session', ofScript.api_key)) === 200,
        invitation: open?.invitations === 1,
        'credential link': (await bearer('GET', '/platformapi/handover', token)) === 200,
        // A heartbeat of an unknown step: 404 from a known agent.
        agent: (await bearer('POST', `/agentapi/steps/${agent.agent_id}/heartbeat`, agent.token, { claim: '1' })) === 404,
        'link code': (open?.codes ?? 0) > 0,
        'chat account': (open?.accounts ?? 0) > 0,
      };
      return Object.entries(works).flatMap(([kind, isWorking]) => (isWorking ? [kind] : []));
    },
  };
}

export const EVERYTHING = [
  'session',
  'own key',
  'forwarder',
  'script',
  'key of script',
  'invitation',
  'credential link',
  'agent',
  'link code',
  'chat account',
];
