import { z } from 'zod';
import * as alert from '../../domain/alert/alert.js';
import * as caseDomain from '../../domain/case/case.js';
import * as caseGraph from '../../domain/case/case-graph.js';
import * as entityPage from '../../domain/case/entity-page.js';
import * as overview from '../../domain/case/overview.js';
import * as connection from '../../domain/connection/connection.js';
import * as connector from '../../domain/connection/connector.js';
import * as entity from '../../domain/entity/entity.js';
import * as evidenceDiff from '../../domain/investigation/evidence-diff.js';
import * as runSteps from '../../domain/investigation/run-steps.js';
import * as inbox from '../../domain/notification/inbox.js';
import * as knowledgeRules from '../../domain/organization/knowledge.js';
import * as comparison from '../../domain/playbook/comparison.js';
import * as playbook from '../../domain/playbook/playbook.js';
import * as recordList from '../../domain/record/record-list.js';
import * as proposal from '../../domain/response/proposal.js';
import * as responseRulesRules from '../../domain/response/response-rules.js';
import * as ruleChange from '../../domain/response/rule-change.js';
import * as search from '../../domain/search/search.js';
import * as clock from '../../domain/sla/clock.js';
import * as policy from '../../domain/sla/policy.js';
import * as evidence from '../../domain/verdict/evidence.js';
import * as agents from '../../services/agents/wire.js';
import * as alerts from '../../services/alerts/wire.js';
import * as apiKeys from '../../services/api-keys/wire.js';
import * as attachments from '../../services/attachments/wire.js';
import * as audit from '../../services/audit/wire.js';
import * as caseTasks from '../../services/case-tasks/wire.js';
import * as cases from '../../services/cases/wire.js';
import * as chatIdentities from '../../services/chat-identities/wire.js';
import * as claimMappings from '../../services/claim-mappings/wire.js';
import * as connections from '../../services/connections/wire.js';
import * as credentialLinks from '../../services/credential-links/wire.js';
import * as invitations from '../../services/invitations/wire.js';
import * as knowledge from '../../services/knowledge/wire.js';
import * as legalHolds from '../../services/legal-holds/wire.js';
import * as notifications from '../../services/notifications/wire.js';
import * as organizations from '../../services/organizations/wire.js';
import * as playbooks from '../../services/playbooks/wire.js';
import * as proposals from '../../services/proposals/wire.js';
import * as providers from '../../services/providers/wire.js';
import * as responseRules from '../../services/response-rules/wire.js';
import * as retention from '../../services/retention/wire.js';
import * as savedViews from '../../services/saved-views/wire.js';
import * as sessions from '../../services/sessions/wire.js';
import * as skillRuns from '../../services/skill-runs/wire.js';
import * as sla from '../../services/sla/wire.js';
import * as taskTemplates from '../../services/task-templates/wire.js';
import * as totp from '../../services/totp/wire.js';
import * as users from '../../services/users/wire.js';

/** Their schemas of replies have names in the API document, so that a generated client has one type for each. */
const MODULES: readonly Readonly<Record<string, unknown>>[] = [
  agents,
  alerts,
  apiKeys,
  attachments,
  audit,
  caseTasks,
  cases,
  chatIdentities,
  claimMappings,
  connections,
  credentialLinks,
  invitations,
  knowledge,
  legalHolds,
  notifications,
  organizations,
  playbooks,
  proposals,
  providers,
  responseRules,
  retention,
  savedViews,
  sessions,
  skillRuns,
  sla,
  taskTemplates,
  totp,
  users,
  alert,
  caseDomain,
  caseGraph,
  entityPage,
  overview,
  connection,
  entity,
  runSteps,
  inbox,
  knowledgeRules,
  comparison,
  playbook,
  recordList,
  proposal,
  responseRulesRules,
  ruleChange,
  search,
  clock,
  policy,
  evidence,
  connector,
  evidenceDiff,
];

/** Requests are strict objects. They keep their place, because each route adds its example to them. */
export function nameSchemas(): void {
  for (const [name, schema] of MODULES.flatMap(Object.entries<unknown>))
    if (schema instanceof z.ZodObject && schema.def.catchall === undefined)
      schema.register(z.globalRegistry, { ...schema.meta(), id: name });
  // Strict in replies too, and the largest schema of all.
  playbook.PlanStep.register(z.globalRegistry, { id: 'PlanStep' });
}
