import { catalogue } from './catalogue.js';
import { defineEndpointDetectionStandIn } from './endpoint-detection/stand-in.js';
import { defineIncidentSourceStandIn } from './incident-source/stand-in.js';
import type { IdentityProviderState } from './kit/stand-in/identity-provider.js';
import { createAuthority, startStandIn } from './kit/stand-in/stand-in.js';
import { defineMalwareProtectionStandIn } from './malware-protection/stand-in.js';
import { defineThreatIntelligenceStandIn } from './threat-intelligence/stand-in.js';
import { defineTravelBookingStandIn } from './travel-booking/stand-in.js';
import { defineVulnerabilityInvestigationStandIn } from './vulnerability-investigation/stand-in.js';

/** What makes a working connection: fields of `POST /platformapi/connections`. */
export interface ConnectionFields {
  readonly connector: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly credentials: Readonly<Record<string, string>>;
}

export type ThirdParties = Awaited<ReturnType<typeof startThirdParties>>;

/** A stand-in for each third party, all vouched for by one authority, and how to connect to each. */
export async function startThirdParties({ thinkForMs }: { thinkForMs?: number } = {}) {
  const authority = await createAuthority();
  const common = { authority, ...(thinkForMs === undefined ? {} : { thinksForMs: thinkForMs }) };
  const [endpoint, incidents, malware, vulnerability, travel, intelligence] = await Promise.all([
    startStandIn({ ...common, define: defineEndpointDetectionStandIn }),
    startStandIn({ ...common, define: defineIncidentSourceStandIn }),
    startStandIn({ ...common, define: defineMalwareProtectionStandIn }),
    startStandIn({ ...common, define: defineVulnerabilityInvestigationStandIn }),
    startStandIn({ ...common, define: defineTravelBookingStandIn }),
    startStandIn({ ...common, define: defineThreatIntelligenceStandIn }),
  ]);
  const standIns = {
    endpointDetection: endpoint,
    incidentSource: incidents,
    malwareProtection: malware,
    vulnerabilityInvestigation: vulnerability,
    travelBooking: travel,
    threatIntelligence: intelligence,
  } satisfies Record<keyof typeof catalogue, unknown>;
  const all = Object.values(standIns);
  return {
    caPem: authority.caPem,
    /** Entries of EGRESS_ALLOW. */
    allow: all.map(({ address }) => address),
    /** By the name of the connector in the catalogue. */
    standIns,
    connections: {
      endpointDetection: {
        connector: catalogue.endpointDetection.kind,
        settings: throughIdentityProvider(endpoint.url, endpoint.state.identity),
        credentials: appRegistration(endpoint.state.identity),
      },
      incidentSource: {
        connector: catalogue.incidentSource.kind,
        settings: throughIdentityProvider(incidents.url, incidents.state.identity),
        credentials: appRegistration(incidents.state.identity),
      },
      malwareProtection: {
        connector: catalogue.malwareProtection.kind,
        settings: { api_host: malware.url },
        credentials: { api_client_id: malware.state.apiClientId, api_key: malware.state.apiKey },
      },
      vulnerabilityInvestigation: {
        connector: catalogue.vulnerabilityInvestigation.kind,
        settings: { region_api_host: vulnerability.url, key_type: 'organization' },
        credentials: { api_token: vulnerability.state.apiToken },
      },
      travelBooking: {
        connector: catalogue.travelBooking.kind,
        settings: { base_url: travel.url },
        credentials: { client_id: travel.state.clientId, client_secret: travel.state.clientSecret },
      },
      threatIntelligence: {
        connector: catalogue.threatIntelligence.kind,
        settings: { api_host: intelligence.url },
        credentials: { api_key: intelligence.state.apiKey },
      },
    } satisfies Record<keyof typeof catalogue, ConnectionFields>,
    async stop(): Promise<void> {
      await Promise.all(all.map((standIn) => standIn.stop()));
    },
  };
}

function throughIdentityProvider(url: string, { resource }: IdentityProviderState) {
  return { auth_url: url, api_host: url, scope_resource: resource };
}

function appRegistration({ tenantId, clientId, clientSecret }: IdentityProviderState) {
  return { tenant_id: tenantId, client_id: clientId, client_secret: clientSecret };
}
