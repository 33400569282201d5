import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalogue } from '../../connectors/catalogue.js';
import type { Catalogue } from '../../connectors/kit/define.js';
import { COMPUTERS, INDICATORS, PEOPLE } from '../../connectors/kit/stand-in/company.js';
import type { ThirdParties } from '../../connectors/stand-ins.js';
import type { ConnectionTestReport } from '../../domain/connection/connection.js';
import type { Connection } from '../../services/connections/wire.js';
import type { TestService } from '../support/service.js';
import { createConnection, startWithThirdParties, type WithThirdParties } from '../support/with-third-parties.js';

/** One call of each connector of the specification. */
const CALLS = {
  endpointDetection: ['get-alert', { alert_id: 'da638700000000000001_1364969601' }],
  incidentSource: ['get-incident', { incident_id: '2046' }],
  malwareProtection: ['list-computers', { hostname: [COMPUTERS[0].name] }],
  vulnerabilityInvestigation: ['get-investigation', { investigation_id: 'AF6JTFINWHGK' }],
  travelBooking: ['get-users', { email: PEOPLE[1].email }],
  threatIntelligence: ['list-alerts', { entity: INDICATORS.maliciousDomain, from: Math.floor(Date.now() / 1000) - 3 * 86_400 }],
} as const;
export type CalledConnector = keyof typeof CALLS;
export const CALLED_CONNECTORS = Object.keys(CALLS) as CalledConnector[];
const CODES = { 400: 'BadRequest', 401: 'CredentialsRejected', 403: 'NotPermitted', 404: 'Misconfigured' } as const;
/** A call of these asks for one record: if the API is there, a 404 says that it has no such record. */
const ASK_FOR_RECORD: readonly string[] = ['endpointDetection', 'incidentSource', 'vulnerabilityInvestigation'];
const UNKNOWN_RECORD = {
  cause: 'does not know this record',
  resolution: 'Check the ID. The record may have been deleted at the third party.',
};

export function describeRefusedCalls(names: readonly CalledConnector[]): void {
  describe('an error of the third party is a problem with a resolution', () => {
    let thirdParties: ThirdParties;
    let service: TestService;
    let stop: WithThirdParties['stop'];
    beforeAll(async () => {
      ({ service, thirdParties, stop } = await startWithThirdParties());
    });
    afterAll(() => stop?.());

    const connectors: Catalogue = catalogue;
    const cases = names.flatMap((name) =>
      Object.entries(CODES).map(([status, code]) => {
        const isUnknown = status === '404' && ASK_FOR_RECORD.includes(name);
        return { name, status: Number(status), code: isUnknown ? 'NotFound' : code, isUnknown };
      }),
    );
    const run = (id: string, slug: string, body: object) =>
      service.request<Record<string, unknown>>('POST', `/platformapi/connections/${id}/skills/${slug}`, { body });
    const test = (id: string) => service.request<ConnectionTestReport>('POST', `/platformapi/connections/${id}/test`);
    const read = async (id: string) => (await service.request<Connection>('GET', `/platformapi/connections/${id}`)).body;

    it.each(cases)('$status from $name is $code', async ({ name, status, code, isUnknown }) => {
      const [slug, input] = CALLS[name];
      const standIn = thirdParties.standIns[name];
      const id = await createConnection(service, { instance_name: `${name} refused ${status}`, ...thirdParties.connections[name] });
      // The client retries a 401 once with a new token.
      standIn.faults.next({ match: ({ url }) => !url.endsWith('/token'), status, times: status === 401 ? 2 : 1, body: {} });
      const reply = await run(id, slug, { input });
      standIn.faults.clear();
      const row = isUnknown ? UNKNOWN_RECORD : connectors[name]?.errors[status];
      expect(reply).toMatchObject({
        status: 502,
        body: { title: 'Bad Gateway', code, third_party_status: status, resolution: row?.resolution ?? null },
      });
      expect(reply.body['detail']).toContain(row?.cause ?? `HTTP ${status}`);

      const connection = await read(id);
      const calls = standIn.requests.length;
      const again = await run(id, slug, { input });
      if (status === 401) expect(connection).toMatchObject({ state: 'broken', refused_skills: [] });
      if (status === 403) expect(connection).toMatchObject({ state: 'untested', refused_skills: [{ resolution: row?.resolution }] });
      if (status === 401 || status === 403) {
        expect(again).toMatchObject({ status: 502, body: { code } });
        expect(standIn.requests).toHaveLength(calls);
        expect((await test(id)).body).toMatchObject({ ok: true });
        expect(await read(id)).toMatchObject({ state: 'working', refused_skills: [] });
        expect(await run(id, slug, { input })).toMatchObject({ status: 200 });
      } else {
        expect(connection).toMatchObject({ state: 'untested', refused_skills: [] });
        expect(again).toMatchObject({ status: 200 });
      }
    });
  });
}
