import { createServer } from 'node:http';
import { surviveDatabaseLoss } from '../db/database-loss.js';
import { createLogger } from '../platform/log.js';
import { createMetrics } from '../platform/metrics.js';
import { METRICS_REFUSAL, mayReadMetrics } from '../platform/metrics-access.js';
import { runProcess } from '../platform/process.js';
import { loadEnvFile, readSettings, requireProcessSettings } from '../platform/settings.js';
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
    const server = createServer(async (request, response) => {
      if (request.url === '/metrics' && !mayReadMetrics(request, settings.METRICS_TOKEN ?? null))
        response
          .writeHead(401, { 'content-type': 'application/problem+json', 'www-authenticate': 'Bearer' })
          .end(JSON.stringify(METRICS_REFUSAL));
      else if (request.url === '/metrics')
        response.writeHead(200, { 'content-type': metrics.registry.contentType }).end(await metrics.registry.metrics());
      else if (request.url === '/healthz') response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"ok"}');
      else if (request.url === '/readyz')
        response
          .writeHead(health.ready() ? 200 : 503, { 'content-type': 'application/json' })
          .end(JSON.stringify({ ready: health.ready() }));
      else response.writeHead(404).end();
    });
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
