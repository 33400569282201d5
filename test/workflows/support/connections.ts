import { afterAll, afterEach, beforeAll } from 'vitest';
import type { EndpointDetectionStandInState } from '../../../connectors/endpoint-detection/stand-in.js';
import type { StandIn } from '../../../connectors/kit/stand-in/stand-in.js';
import type { ThreatIntelligenceStandInState } from '../../../connectors/threat-intelligence/stand-in.js';
import type { Connection } from '../../../services/connections/wire.js';
import type { TestService } from '../../support/service.js';
import { createConnection, startWithThirdParties, type WithThirdParties } from '../../support/with-third-parties.js';

export const ENRICHING = 'Testbed enriching';
export let started: WithThirdParties;
export let service: TestService;
export let intelligence: StandIn<ThreatIntelligenceStandInState>;
export let endpoints: StandIn<EndpointDetectionStandInState>;
export let connectionId: string;

/** One service with a connection to the intelligence platform. */
export function setUpConnections(): void {
  beforeAll(async () => {
    started = await startWithThirdParties({ egressOf: 'DEMO', env: { INVESTIGATION_MAX_RETRIES: '1', RECONNECT_WAIT_SECONDS: '600' } });
    service = started.service;
    const { standIns, connections } = started.thirdParties;
    intelligence = standIns.threatIntelligence;
    endpoints = standIns.endpointDetection;
    connectionId = await createConnection(service, { instance_name: 'Intelligence', ...connections.threatIntelligence });
  });
  afterEach(async () => {
    intelligence.faults.clear();
    await service.forgetAnswers();
  });
  afterAll(() => started?.stop());
}

export const connectEndpoints = (instance_name: string, more: { needs_second_person?: boolean } = {}) =>
  createConnection(service, { instance_name, ...started.thirdParties.connections.endpointDetection, ...more });

export async function readConnection(id = connectionId): Promise<Connection> {
  return (await service.request<Connection>('GET', `/platformapi/connections/${id}`)).body;
}
