import type { PgClient } from './client.js';
import { isUuid } from './ids.js';

/** Only topics are announced: each page reads the data again with the rights of its own key. */
export type Topic = 'alerts' | 'cases' | 'proposals' | 'connections' | 'playbooks' | 'settings' | 'inbox';

export const CHANGES_CHANNEL = 'changes';
/** Notifications serialise commits, so a burst of changes becomes one notification for each organization. */
const ANNOUNCE_EVERY_MS = 500;

/** Instead of a record: the change is visible to every organization. */
export const SHARED = 'shared';

/** Instead of a record: only the pages of this user hear of the change. */
export function ofUser(userUuid: string): string {
  return `user:${userUuid}`;
}

/** The topics of one notification. `organizationUuid` is null if the organization is unknown. */
export interface AnnouncedChange {
  readonly organizationUuid: string | null;
  /** null: everyone in the organization may know. */
  readonly userUuid: string | null;
  readonly shared: boolean;
  readonly topics: string;
}

/** Collects the changed topics of this process and notifies every API process. */
export class ChangeAnnouncer {
  readonly #pg: PgClient;
  readonly #topicsOfRecord = new Map<string, Set<Topic>>();
  #timer: NodeJS.Timeout | null = null;

  constructor(pg: PgClient) {
    this.#pg = pg;
  }

  /** `records`: ids that lead to the organization of the change, such as an alert id or the uuid of a connection. */
  mark(topics: readonly Topic[], records: readonly string[]): void {
    for (const record of records.length === 0 ? [''] : records) {
      const marked = this.#topicsOfRecord.get(record) ?? new Set();
      for (const topic of topics) marked.add(topic);
      this.#topicsOfRecord.set(record, marked);
    }
    this.#timer ??= setTimeout(() => this.#announce(), ANNOUNCE_EVERY_MS).unref();
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #announce(): void {
    this.#timer = null;
    const marks = [...this.#topicsOfRecord].flatMap(([record, topics]) => [...topics].map((topic) => ({ record, topic })));
    this.#topicsOfRecord.clear();
    // A lost notification only delays a page until its next visit.
    notify(this.#pg, marks).catch(() => {});
  }
}

/** An id that leads to no organization, such as that of a deleted record, reaches only keys for all organizations. */
async function notify(pg: PgClient, marks: readonly { readonly record: string; readonly topic: Topic }[]): Promise<void> {
  const records = [...new Set(marks.map(({ record }) => record))];
  const uuids = records.filter(isUuid);
  const found = await pg<{ record: string; organization_uuid: string }[]>`
    select alert_id as record, organization_uuid from alerts where alert_id = any(${records}::text[])
    union all select case_id, organization_uuid from cases where case_id = any(${records}::text[])
    union all select organization_code, organization_uuid from organizations where organization_code = any(${records}::text[])
    union all select organization_uuid::text, organization_uuid from organizations where organization_uuid = any(${uuids}::uuid[])
    union all select connection_uuid::text, organization_uuid from connections where connection_uuid = any(${uuids}::uuid[])
    union all select proposal_uuid::text, organization_uuid from proposals where proposal_uuid = any(${uuids}::uuid[])
    union all select run_uuid::text, organization_uuid from skill_runs where run_uuid = any(${uuids}::uuid[])`;
  const organizationOf = new Map(found.map((row) => [row.record, row.organization_uuid]));
  const topicsOf = new Map<string, Set<Topic>>();
  for (const { record, topic } of marks) {
    const target = record === SHARED || OF_USER.test(record) ? record : (organizationOf.get(record) ?? UNKNOWN);
    topicsOf.set(target, (topicsOf.get(target) ?? new Set()).add(topic));
  }
  const payloads = [...topicsOf].map(([target, topics]) => [target, ...topics].join(' '));
  await pg`select pg_notify(${CHANGES_CHANNEL}, payload) from unnest(${payloads}::text[]) as payload`;
}

const OF_USER = /^user:(?<uuid>[0-9a-f-]{36})$/;
const UNKNOWN = 'unknown';

export function readChange(payload: string): AnnouncedChange {
  const [target = UNKNOWN, ...topics] = payload.split(' ');
  const shared = target === SHARED;
  const userUuid = OF_USER.exec(target)?.groups?.['uuid'] ?? null;
  const organizationUuid = shared || target === UNKNOWN || userUuid !== null ? null : target;
  return { organizationUuid, userUuid, shared, topics: topics.join(' ') };
}
