import { describe, expect, it } from 'vitest';
import { catalogue } from '../../../connectors/catalogue.js';
import { listKinds } from '../../../connectors/kit/define.js';
import { listStartingProviders, providerSegment, RESERVED_SEGMENTS } from '../../../domain/identity/identity.js';
import { CreateOrganization } from '../../../services/organizations/wire.js';
import { CreateProvider } from '../../../services/providers/wire.js';

const STARTING_PROVIDERS = listStartingProviders(listKinds(catalogue));

describe('providerSegment', () => {
  it.each([
    ['siem', 'SIEM'],
    ['endpoint-detection', 'ENDPOINT_DETECTION'],
    ['Mail Gateway 2', 'MAIL_GATEWAY_2'],
    ['a.b_c--d', 'A_B_C_D'],
  ])('of %s is %s', (name, segment) => {
    expect(providerSegment(name)).toBe(segment);
  });

  it('is upper-case without hyphens for every valid name, so that an id can be split from the right', () => {
    const names = ['x', 'A-B', '0', 'a b.c-d_e', 'z'.repeat(64), ...STARTING_PROVIDERS];
    for (const name of names) {
      expect(CreateProvider.safeParse({ name }).success, name).toBe(true);
      expect(providerSegment(name)).toMatch(/^[A-Z0-9_]+$/);
      expect(/^(.+)-([A-Z0-9_]+)-(\d+)$/.exec(`MY-ORG-1-${providerSegment(name)}-42`)?.slice(1)).toEqual([
        'MY-ORG-1',
        providerSegment(name),
        '42',
      ]);
    }
  });

  it('is unique for each starting provider and never reserved for cases', () => {
    const segments = STARTING_PROVIDERS.map(providerSegment);
    expect(new Set(segments).size).toBe(segments.length);
    for (const segment of segments) expect(RESERVED_SEGMENTS).not.toContain(segment);
    expect(RESERVED_SEGMENTS).toContain(providerSegment('case'));
  });
});

describe('name validation', () => {
  it.each(['', ' x', 'x ', '-x', 'x-', 'é', 'a/b', 'a\nb', 'x'.repeat(65)])('refuses the provider name %j', (name) => {
    expect(CreateProvider.safeParse({ name }).success).toBe(false);
  });

  it.each(['', 'a b', '-a', 'a-', '_', 'ä', 'a\n', 'x'.repeat(33)])('refuses the organization code %j', (organization_code) => {
    expect(CreateOrganization.safeParse({ organization_code, name: 'x' }).success).toBe(false);
  });

  it.each(['A', 'acme', 'ACME-EU_2', 'x'.repeat(32)])('accepts the organization code %s', (organization_code) => {
    expect(CreateOrganization.safeParse({ organization_code, name: 'x' }).success).toBe(true);
  });
});
