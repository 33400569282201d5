export { followUp } from './follow-up.js';
export { generated } from './generated.js';
export type { PlaybookWorkflow } from './playbook.js';
export * from './playbooks/index.js';
export { pollSource } from './poll-source.js';
export { proposal } from './proposal.js';
export { reconcile } from './reconcile.js';
export { runSkill } from './run-skill.js';
export { testConnection } from './test-connection.js';
