import { queryOptions } from '@tanstack/react-query';
import { api, toBody, unwrap } from '../api.js';
import { change, type FormValue, fullList } from './kit.js';

/** The hourly limit of changes at third parties, and the stop switch. */
export const responseQuery = (organization_code: string) =>
  queryOptions({
    queryKey: ['settings', 'response', organization_code],
    queryFn: () => unwrap(api.GET('/response', { params: { query: { organization_code } } })),
  });

export const changeLimit = (organization_code: string) =>
  change(['settings'], (rules: FormValue) => unwrap(api.PATCH('/response', { body: toBody({ ...rules, organization_code }) })));

export const switchChanges = (organization_code: string, action: 'stop' | 'resume') =>
  change(['settings'], (given: FormValue) => unwrap(api.POST(`/response/${action}`, { body: toBody({ ...given, organization_code }) })));

export const protectedAssetsQuery = (organization_code: string) =>
  fullList(['settings', 'protected-assets', organization_code], (page) =>
    unwrap(api.GET('/protected-assets', { params: { query: { ...page, organization_code } } })),
  );

export const protectAsset = (organization_code: string) =>
  change(['settings'], (asset: FormValue) => unwrap(api.POST('/protected-assets', { body: toBody({ ...asset, organization_code }) })));

export const unprotectAsset = change(['settings'], (asset_id: string) =>
  unwrap(api.DELETE('/protected-assets/{asset_id}', { params: { path: { asset_id } } })),
);
