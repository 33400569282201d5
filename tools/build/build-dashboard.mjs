import { isMainThread } from 'node:worker_threads';

// `node --import tsx --import ./tools/build/build-dashboard.mjs …`: the pages are there, and of these sources, before the API looks for them.
// JavaScript, because threads of the process load it too, and have no loader for TypeScript yet.
if (isMainThread) {
  const { ensureDashboard } = await import('./dashboard.ts');
  await ensureDashboard(() => console.error('Building the dashboard …'));
}
