import { z } from 'zod';
import { Int64 } from '../alert/alert.js';
import { EntityKind, EntityRole } from '../entity/entity.js';

export const GRAPH_ALERTS = 50;
export const GRAPH_ENTITIES = 60;
export const GRAPH_EVENTS = 200;

const GraphAlert = z.object({
  alert_id: z.string(),
  alert_type: z.string(),
  created_at: z.int(),
  created_at_source: Int64.nullable(),
});

const GraphEntity = z.object({
  kind: EntityKind,
  value: z.string(),
  own: z.string().nullable().describe('Why it belongs to the organization; null where the organization does not know it.'),
  alerts: z.array(z.object({ alert_id: z.string(), role: EntityRole.nullable() })).describe('The alerts of the case that contain it.'),
});

export const CaseEvent = z.object({
  at: z.number().describe('When it happened, by the system that reports it. Unix epoch seconds'),
  kind: z.enum(['alert', 'record', 'action']).describe('alert: of this case; record: of a third party; action: a write of this service.'),
  title: z.string(),
  source: z.string().describe('The provider of the alert, or the name of the connection.'),
  alert_id: z.string().nullable(),
  shares: z.array(z.string()).describe('For a record: the values that it shares with the case.'),
});
export type CaseEvent = z.infer<typeof CaseEvent>;

/** The alerts of a case with their entities, and the events around them in the order in which they happened. */
export const CaseGraph = z.object({
  organization_code: z.string(),
  alerts: z.array(GraphAlert).describe(`Oldest first, at most ${GRAPH_ALERTS}.`),
  entities: z.array(GraphEntity).describe(`Those in the most alerts of the case first, at most ${GRAPH_ENTITIES}.`),
  entity_count: z.int().describe('The number of all entities of these alerts.'),
  events: z.array(CaseEvent).describe(`Oldest first, at most ${GRAPH_EVENTS}.`),
});
export type CaseGraph = z.infer<typeof CaseGraph>;
