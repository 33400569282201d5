import { z } from 'zod';
import { readPolicy } from '../../db/sla/policies.js';
import { SaveSlaPolicy } from '../../domain/sla/policy.js';
import { storable } from '../../domain/text.js';
import { requirePathOrganization } from '../../services/organizations/require-organization.js';
import { savePolicy } from '../../services/sla/save-policy.js';
import { SlaPolicy } from '../../services/sla/wire.js';
import { problems } from '../http/openapi.js';
import type { RouteDeps, ZodApp } from '../http/route.js';

const tags = ['organizations'];
const OrganizationPath = z.object({ organization_code: storable(32) });
const EXAMPLE = {
  time_zone: 'Europe/Berlin',
  hours: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'].map((day) => ({ day, from: '08:00', to: '18:00' })),
  holidays: ['2026-12-25', '2027-01-01'],
  warn_percent: 80,
  targets: [
    { severity: 'critical', acknowledge_minutes: 15, close_minutes: 480 },
    { severity: 'high', acknowledge_minutes: 60, close_minutes: 1440 },
  ],
};

/** How fast an organization wants its cases acknowledged and closed. */
export function slaRoutes(app: ZodApp, { database: { db } }: RouteDeps): void {
  app.get(
    '/platformapi/organizations/:organization_code/sla',
    {
      config: { access: ['analyst', 'admin'] },
      schema: {
        operationId: 'getSlaPolicyAPI',
        tags,
        summary: 'Read the SLA targets and working hours of an organization',
        params: OrganizationPath,
        response: { 200: SlaPolicy, ...problems(404) },
      },
    },
    async ({ params, principal }) => readPolicy(db, await requirePathOrganization(db, principal, params.organization_code)),
  );

  app.put(
    '/platformapi/organizations/:organization_code/sla',
    {
      config: { access: ['admin'], changes: ['settings', 'cases'] },
      schema: {
        operationId: 'updateSlaPolicyAPI',
        tags,
        summary: 'Replace the SLA targets and working hours of an organization',
        description:
          'Applies to new cases and to running clocks. A case that is past its new limit at once is breached, but the service sends no event for it.',
        params: OrganizationPath,
        body: SaveSlaPolicy.meta({ examples: [EXAMPLE] }),
        response: { 200: SlaPolicy, ...problems(404, 413, 415) },
      },
    },
    async ({ params, body, principal, context }) =>
      savePolicy(context, await requirePathOrganization(db, principal, params.organization_code), body),
  );
}
