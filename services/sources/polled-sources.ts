import type { Catalogue } from '../../connectors/kit/define.js';
import type { PgClient } from '../../db/client.js';
import type { Feed } from '../../db/sources/sources.js';
import type { PolledIntake } from '../../domain/alert/intake-source.js';
import type { WorkContext } from '../context.js';

/** Taking an item is prepared statements, which need the client below drizzle. */
export interface SourceContext extends WorkContext {
  readonly pg: PgClient;
}

export interface PolledSource {
  /** The connector's name in the catalogue. */
  readonly connector: string;
  readonly kind: string;
  readonly intake: PolledIntake;
}

/** A connection whose items become alerts. */
export interface PolledFeed {
  readonly feed: Feed;
  readonly source: PolledSource;
}

export function listPolledSources(connectors: Catalogue): PolledSource[] {
  return Object.entries(connectors).flatMap(([connector, { kind, intake }]) =>
    intake?.mode === 'poll' ? [{ connector, kind, intake }] : [],
  );
}
