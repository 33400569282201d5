import { index, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { SkillKey } from '../../domain/skill-key.js';
import { epochSeconds, exactSeconds } from '../columns.js';
import { remoteAgents } from './agents.js';
import { alerts } from './alerts.js';
import { connections } from './connections.js';

/** A step for a remote agent. Temporal's activity ends when the agent reports the result. */
export const agentSteps = pgTable(
  'agent_steps',
  {
    stepUuid: uuid().primaryKey(),
    agentUuid: uuid()
      .notNull()
      .references(() => remoteAgents.agentUuid),
    connectionUuid: uuid()
      .notNull()
      .references(() => connections.connectionUuid, { onDelete: 'cascade' }),
    /** One row for each activity; a retry by Temporal uses the same row. */
    activityKey: text().notNull(),
    taskToken: text().notNull(),
    request: jsonb().$type<Record<string, unknown>>().notNull(),
    /** Of a skill, or of the test of the connection. */
    skillKey: text().$type<SkillKey>().notNull(),
    /** The title, see `skill_results`. */
    skillId: text().notNull(),
    alertUuid: uuid().references(() => alerts.alertUuid, { onDelete: 'cascade' }),
    claimedAt: exactSeconds(),
    seenAt: exactSeconds(),
    createdAt: epochSeconds().notNull(),
    /** For a step that a copy of records waits for, and no activity of Temporal. No process reads an answer after it. */
    wantedUntil: epochSeconds(),
    /** Of such a step: `{ output }` or `{ error }`. */
    answer: jsonb(),
  },
  (table) => [
    uniqueIndex('agent_steps_activity_key').on(table.activityKey),
    index('agent_steps_by_agent').on(table.agentUuid, table.stepUuid),
    index('agent_steps_by_alert').on(table.alertUuid),
  ],
);
