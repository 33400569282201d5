import type { Catalogue } from '../../connectors/kit/define.js';
import type { PgClient } from '../../db/client.js';
import { listRecordConnections, type RecordConnection } from '../../db/records/records.js';
import type { RecordSource } from '../../domain/record/record.js';
import { type SkillKey, toSkillKey } from '../../domain/skill-key.js';

/** A list skill of a connector whose records are copied. */
export interface CopiedSource {
  readonly connector: string;
  readonly source: RecordSource;
  readonly skillKey: SkillKey;
  readonly skillId: string;
  /** The write of this service that creates records of this kind. */
  readonly creator: { readonly skillKey: SkillKey; readonly idPath: string } | null;
}

/** The copy of one kind of records of one connection. */
export interface Copy extends Omit<CopiedSource, 'connector'> {
  readonly connection: RecordConnection;
}

export function listCopiedSources(catalogue: Catalogue): CopiedSource[] {
  return Object.entries(catalogue).flatMap(([name, { kind, records = [], skills }]) =>
    records.flatMap((source) => {
      const contract = skills[source.verb];
      const { createdBy } = source;
      const creator = createdBy ? { skillKey: toSkillKey(name, createdBy.verb), idPath: createdBy.idPath } : null;
      return contract ? [{ connector: kind, source, skillKey: toSkillKey(name, source.verb), skillId: contract.title, creator }] : [];
    }),
  );
}

/** The copies of the alert's organization. */
export async function listCopies(pg: PgClient, sources: readonly CopiedSource[], alertId: string): Promise<Copy[]> {
  const connections = await listRecordConnections(pg, alertId, [...new Set(sources.map(({ connector }) => connector))]);
  return connections.flatMap((connection) =>
    sources.filter(({ connector }) => connector === connection.connector).map(({ connector: _, ...source }) => ({ connection, ...source })),
  );
}

export function describePlace({ connector, instanceName }: RecordConnection): { connector: string; connection: string } {
  return { connector, connection: instanceName };
}
