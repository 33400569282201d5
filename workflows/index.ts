export { generated } from './generated.js';
export { reportedPhishing } from './playbooks/reported-phishing.js';
export { reconcile } from './reconcile.js';
