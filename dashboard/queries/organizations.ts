import { api, toBody, unwrap } from '../api.js';
import { change, type FormValue, fullList } from './kit.js';

export const organizationsQuery = fullList(['settings', 'organizations'], (page) =>
  unwrap(api.GET('/organizations', { params: { query: page } })),
);
export const createOrganization = change(['settings'], (body: FormValue) => unwrap(api.POST('/organizations', { body: toBody(body) })));

export const providersQuery = fullList(['settings', 'providers'], (page) => unwrap(api.GET('/providers', { params: { query: page } })));
export const createProvider = change(['settings'], (body: FormValue) => unwrap(api.POST('/providers', { body: toBody(body) })));
