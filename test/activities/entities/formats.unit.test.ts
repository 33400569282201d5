import { describe, expect, it } from 'vitest';
import { sharedExtractor } from '../../support/entity-extractor.js';
import { LABELLED_ALERTS } from './labelled-alerts.js';

describe('the entities of alerts in many formats', () => {
  const extractor = sharedExtractor();

  it.each(LABELLED_ALERTS)('finds exactly those of: $group, $format', async ({ content, entities: expected }) => {
    const { entities, incomplete } = await extractor.extract(content);
    expect(incomplete).toBeNull();
    const found = entities.map((entity) => [entity.kind, entity.value, ...('role' in entity ? [entity.role] : [])].join(' '));
    expect(found.sort()).toEqual([...expected].sort());
  });
});
