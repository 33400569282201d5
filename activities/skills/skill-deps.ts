import type { HttpClient } from '../../connectors/kit/http.js';
import type { Db, PgClient } from '../../db/client.js';
import type { Metrics } from '../../platform/metrics.js';
import type { Opener } from './open-connection.js';

export interface SkillDeps extends Opener {
  readonly db: Db;
  readonly pg: PgClient;
  readonly httpClient: HttpClient;
  readonly metrics: Metrics;
}
