import { expect } from 'vitest';
import type { Proposal } from '../../../domain/response/proposal.js';
import type { AuditEntry } from '../../../services/audit/wire.js';
import type { Connection } from '../../../services/connections/wire.js';
import { startTestService } from '../../support/service.js';
import { unreachableEndpoints } from '../../support/unreachable-endpoints.js';
import { readAllPages } from './http.js';
import { createOrganization, investigate, proposeIsolation } from './records.js';

export type ResponseKit = Awaited<ReturnType<typeof startResponseKit>>;

/** Starts a service with two organizations, which have a connection to endpoints, an analyst and an admin each. */
export async function startResponseKit() {
  const service = await startTestService({ worker: false });
  const uuids = new Map<string, string>();
  const connections = new Map<string, string>();
  const keys = new Map<string, string>();
  for (const code of ['NORTH', 'SOUTH']) {
    uuids.set(code, await createOrganization(service, code));
    const reply = await service.request<Connection>('POST', '/platformapi/connections', {
      body: {
        ...unreachableEndpoints(`Endpoints of ${code}`),
        organization_code: code,
      },
    });
    connections.set(code, reply.body.connection_id);
    for (const role of ['analyst', 'admin'] as const) keys.set(`${role} ${code}`, (await service.createPerson(role, code)).api_key);
    keys.set(`other admin ${code}`, (await service.createPerson('admin', code)).api_key);
  }

  /** Creates a proposal for a new alert. */
  async function propose(code: string, given: Parameters<typeof proposeIsolation>[3] = {}) {
    const alert = await service.sendAlert({ organization_code: code });
    const caseId = await investigate(service, alert);
    return { proposalId: await proposeIsolation(service, alert.alert_id, connections.get(code) ?? '', given), caseId };
  }

  const call = <Body = Proposal>(method: string, path: string, body?: unknown, key?: string) =>
    service.request<Body>(method, `/platformapi/${path}`, {
      ...(body === undefined ? {} : { body }),
      ...(key === undefined ? {} : { key }),
    });
  const audited = async (target: string) =>
    (await readAllPages<AuditEntry>(service, '/platformapi/audit', { limit: 200 })).filter((entry) => entry.target === target);

  const requireKey = (name: string) => keys.get(name) ?? expect.fail(`there is no key ${name}`);
  return { service, uuids, connections, requireKey, propose, call, audited };
}
