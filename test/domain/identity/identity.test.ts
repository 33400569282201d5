import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { catalogue } from '../../../connectors/catalogue.js';
import { listKinds } from '../../../connectors/kit/define.js';
import { listStartingProviders, providerSegment, RESERVED_SEGMENTS } from '../../../domain/identity/identity.js';
import { nameText, toLine } from '../../../domain/text.js';
import { CreateRemoteAgent } from '../../../services/agents/wire.js';
import { CreateApiKey } from '../../../services/api-keys/wire.js';
import { CreateConnection, UpdateConnection } from '../../../services/connections/wire.js';
import { Join } from '../../../services/invitations/wire.js';
import { SaveRule, UpdateChannel } from '../../../services/notifications/wire.js';
import { CreateOrganization } from '../../../services/organizations/wire.js';
import { CreateProvider } from '../../../services/providers/wire.js';
import { ProtectAsset } from '../../../services/response-rules/wire.js';
import { CreateSavedView } from '../../../services/saved-views/wire.js';

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

  const hidden = {
    'a line break': 'a\nb',
    'a line separator': 'a\u2028b',
    'a control character': 'a\u001bb',
    'a bidirectional override': 'a\u202eb',
    'a bidirectional isolate': 'a\u2066b',
    'a zero-width space': 'a\u200bb',
    'a zero-width joiner': 'a\u200db',
    'a soft hyphen': 'a\u00adb',
    'a byte order mark': '\ufeffab',
    'a filler': 'a\u3164b',
    'a tag': 'a\u{e0061}b',
  };
  const fields: Record<string, z.ZodType> = {
    'a person': Join.shape.name,
    'an organization': CreateOrganization.shape.name,
    'a connection': CreateConnection.shape.instance_name,
    'a changed connection': UpdateConnection.shape.instance_name,
    'a channel': UpdateChannel.shape.name,
    'a notification rule': SaveRule.shape.name,
    'a key': CreateApiKey.shape.name,
    'a service': CreateApiKey.shape.service,
    'an agent': CreateRemoteAgent.shape.name,
    'a saved view': CreateSavedView.shape.name,
    'a protected asset': ProtectAsset.shape.value,
  };
  it.each(Object.entries(fields))('refuses hidden characters in the name of %s', (_, field) => {
    for (const [what, name] of Object.entries(hidden)) expect(field.safeParse(name).success, what).toBe(false);
    for (const name of ['Zoë Müller-O’Neil', '山田 太郎', 'محمد', '🛡️ Night shift']) expect(field.safeParse(name).success, name).toBe(true);
  });

  it('shows stored names with such characters as one line in messages', () => {
    for (const name of Object.values(hidden)) expect(nameText(100).safeParse(toLine(name)).success).toBe(true);
    expect(toLine('Ada\r\n\r\nApproved by:\u202e Bob')).toBe('Ada Approved by: Bob');
  });

  it.each(['A', 'acme', 'ACME-EU_2', 'x'.repeat(32)])('accepts the organization code %s', (organization_code) => {
    expect(CreateOrganization.safeParse({ organization_code, name: 'x' }).success).toBe(true);
  });
});
