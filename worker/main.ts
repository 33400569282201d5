import { surviveDatabaseLoss } from '../db/database-loss.js';
import { createLogger } from '../platform/log.js';
import { createMetrics } from '../platform/metrics.js';
import { runProcess } from '../platform/process.js';
import { loadEnvFile, readSettings, requireProcessSettings } from '../platform/settings.js';
import { createHealthServer } from './health-server.js';
import { declaredPlaybooks, startWorker } from './worker.js';

/** `alert-investigator worker`: investigates alerts. Without a path, it loads the workflow bundle of `npm run build`. */
export async function runWorker(bundlePath?: string): Promise<void> {
  await runProcess(async () => {
    loadEnvFile();
    const settings = requireProcessSettings(readSettings(process.env));
    const log = createLogger(settings.LOG_LEVEL, 'worker');
    surviveDatabaseLoss(log, (error) => {
      log.fatal({ err: error }, 'unexpected error');
      process.exit(1);
    });
    const metrics = createMetrics();
    const health = { ready: () => false };
    const server = createHealthServer(settings, metrics, () => health.ready());
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(settings.WORKER_PORT, settings.WORKER_HOST, resolve);
    });
    const workflows = bundlePath === undefined ? {} : { workflows: { bundlePath, declarations: declaredPlaybooks() } };
    const worker = await startWorker({ settings, log, metrics, ...workflows });
    health.ready = () => worker.isRunning();
    log.info(
      { task_queue: settings.TEMPORAL_TASK_QUEUE, health: `http://${settings.WORKER_HOST}:${settings.WORKER_PORT}/healthz` },
      'worker is running',
    );
    return async () => {
      await worker.stop();
      server.close();
      log.info('worker has stopped');
    };
  });
}
