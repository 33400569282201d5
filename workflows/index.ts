export { generated } from './generated.js';
export type { PlaybookWorkflow } from './playbook.js';
export { reportedPhishing } from './playbooks/reported-phishing.js';
export { reconcile } from './reconcile.js';
