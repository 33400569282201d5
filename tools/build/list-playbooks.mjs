import { isMainThread } from 'node:worker_threads';

// Runs before whatever registers playbooks (`node --import`), so that a new file of the folder needs no line elsewhere.
// JavaScript, because threads of the process load it too, and have no loader for TypeScript yet.
if (isMainThread) {
  const { writePlaybookList } = await import('./playbook-list.ts');
  writePlaybookList();
}
