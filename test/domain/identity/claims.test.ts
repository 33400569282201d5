import { expect, it } from 'vitest';
import { grantRoles } from '../../../domain/identity/claims.js';

const claims = { iss: 'https://login.example', sub: '1', email: 'ada@corp.example' };
const mapping = { claim: 'email', value: 'ada@corp.example', role: 'admin', organizationUuid: null } as const;

it('gives a role for an email address only if the provider verified it', () => {
  for (const email_verified of [undefined, false, 'true', 1]) expect(grantRoles({ ...claims, email_verified }, [mapping]).size).toBe(0);
  expect(grantRoles({ ...claims, email_verified: true }, [mapping])).toEqual(new Map([[null, 'admin']]));
  expect(grantRoles(claims, [{ ...mapping, claim: 'sub', value: '1' }])).toEqual(new Map([[null, 'admin']]));
});
