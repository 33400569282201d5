import { type Activity, NO_ACTIVITY } from '../../domain/alert/activity.js';
import type { AlertHeader } from '../../domain/alert/alert-header.js';
import { type Entity, EntityCollection, MAX_ENTITIES_PER_KIND } from '../../domain/entity/entity.js';
import type { ProvenName } from '../../domain/entity/names.js';
import type { ContentRead, EntitiesFound, IndicatorSearch } from './extractor-thread.js';

/** A step returns null after a timeout. */
export interface ExtractionSteps {
  read(content: string): Promise<ContentRead | null>;
  findIndicators(search: IndicatorSearch): EntitiesFound | Promise<EntitiesFound | null>;
}

export interface Extraction {
  readonly entities: Entity[];
  /** Short and full names that the content states for one host or account. */
  readonly names: readonly ProvenName[];
  readonly header: AlertHeader;
  readonly activity: Activity;
  /** The reason why entities may be missing, or null. */
  readonly incomplete: string | null;
}

/** The intake rejects longer content. */
const MAX_CONTENT_LENGTH = 1024 * 1024;
const NO_HEADER: AlertHeader = { severity: null, ruleName: null, techniques: [], tactics: [] };
const NOTHING_READ: ContentRead = { entities: [], overfull: [], text: '', roles: [], names: [], header: NO_HEADER, activity: NO_ACTIVITY };

/** Finds the named fields first, then the network indicators in the text. */
export async function extractEntities(content: string, steps: ExtractionSteps, timeoutMs: number): Promise<Extraction> {
  const searched = content.slice(0, MAX_CONTENT_LENGTH);
  const read = await steps.read(searched);
  const { entities: named, overfull, text, roles, names, header, activity } = read ?? { ...NOTHING_READ, text: searched };
  const found = await steps.findIndicators({ entities: named, text, roles });

  const all = new EntityCollection();
  for (const entity of [...(found?.entities ?? []), ...named]) all.add(entity);
  const exceeded = new Set([...(found?.overfull ?? []), ...overfull, ...all.overfull()]);
  const reasons = [
    ...(content.length > MAX_CONTENT_LENGTH ? [`Only the first ${MAX_CONTENT_LENGTH} of ${content.length} characters were searched.`] : []),
    ...(read ? [] : [`The search for named fields timed out after ${timeoutMs} ms.`]),
    ...(found ? [] : [`The search for network indicators timed out after ${timeoutMs} ms.`]),
    ...(exceeded.size > 0
      ? [`More than ${MAX_ENTITIES_PER_KIND} entities of a kind (${[...exceeded].join(', ')}). The others are left out.`]
      : []),
  ];
  return { entities: all.list(), names, header, activity, incomplete: reasons.length > 0 ? reasons.join(' ') : null };
}
