import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { EntityKind } from '../../domain/entity/entity.js';
import { api, unwrap } from '../api.js';

const ENTITY_PAGE_SIZE = 25;

export interface EntityKey {
  readonly kind: EntityKind;
  readonly value: string;
  readonly organization_code: string | undefined;
}

export const entityQuery = (entity: EntityKey) =>
  queryOptions({
    queryKey: ['alerts', 'entity', entity],
    queryFn: () => unwrap(api.GET('/entity', { params: { query: entity } })),
  });

export const entityAlertsQuery = (entity: EntityKey, cursor: string | undefined) =>
  queryOptions({
    queryKey: ['alerts', 'entity alerts', entity, cursor ?? null],
    queryFn: () => unwrap(api.GET('/entity/alerts', { params: { query: { ...entity, cursor, limit: ENTITY_PAGE_SIZE } } })),
    placeholderData: keepPreviousData,
  });

export const searchQuery = (text: string) =>
  queryOptions({
    queryKey: ['search', text],
    queryFn: () => unwrap(api.GET('/search', { params: { query: { text } } })),
    placeholderData: keepPreviousData,
  });
