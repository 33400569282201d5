import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export type Metrics = ReturnType<typeof createMetrics>;

/** The metrics of `/metrics`, one registry for each process. Dashboards and alerts of operators depend on the names. */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    registry,
    intakeRequests: new Counter({
      name: 'intake_requests_total',
      help: 'Responses of the alert intake by HTTP status',
      labelNames: ['status'],
      registers,
    }),
    intakeBatchSize: new Histogram({
      name: 'intake_batch_size',
      help: 'Alerts in one batch',
      buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500],
      registers,
    }),
    intakeCommitSeconds: new Histogram({
      name: 'intake_commit_seconds',
      help: 'Duration of the commit of one batch',
      buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1, 5],
      registers,
    }),
    refusedKeys: new Counter({
      name: 'refused_keys_total',
      help: 'Refused API keys and agent tokens by use, and whether the reply was 429',
      labelNames: ['use', 'throttled'],
      registers,
    }),
    dispatchLagSeconds: new Histogram({
      name: 'dispatch_lag_seconds',
      help: 'Time from the creation of an alert to the start of its workflow',
      buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 30, 120, 600, 3600],
      registers,
    }),
    dispatches: new Counter({ name: 'dispatches_total', help: 'Workflow starts by outcome', labelNames: ['outcome'], registers }),
    outboxWaiting: new Gauge({ name: 'outbox_waiting', help: 'Alerts whose workflow has not started (counted up to 10000)', registers }),
    outboxOldestSeconds: new Gauge({
      name: 'outbox_oldest_seconds',
      help: 'Age of the oldest alert whose workflow has not started',
      registers,
    }),
    investigations: new Counter({
      name: 'investigations_total',
      help: 'Investigations that reached a status in this process',
      labelNames: ['status'],
      registers,
    }),
    unfinished: new Gauge({
      name: 'investigations_unfinished',
      help: 'Alerts with an unfinished investigation by status (counted up to 10000)',
      labelNames: ['status'],
      registers,
    }),
    skillCalls: new Counter({ name: 'skill_calls_total', help: 'Skill calls by outcome', labelNames: ['skill', 'outcome'], registers }),
    skillSeconds: new Histogram({
      name: 'skill_seconds',
      help: 'Duration of one skill call',
      labelNames: ['skill'],
      buckets: [0.05, 0.1, 0.5, 1, 5, 15, 30, 60],
      registers,
    }),
  };
}
