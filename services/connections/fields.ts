import { z } from 'zod';
import { type ConnectorContract, isSecret } from '../../connectors/kit/define.js';
import type { SealedSecret } from '../../db/connections/connections.js';
import { toDay } from '../../domain/connection/secret-expiry.js';
import { clip } from '../../domain/text.js';
import type { Keyring } from '../../platform/keyring.js';
import { invalid, MAX_WRONG_FIELDS, type WrongField } from '../errors.js';

function listSecretFields(contract: ConnectorContract): Set<string> {
  return new Set(Object.entries(contract.credentials.shape).flatMap(([name, schema]) => (isSecret(schema) ? [name] : [])));
}

type Place = 'settings' | 'credentials' | 'input';

/** Checks fields against the connector's schema and rejects unknown fields. */
export function checkFields(schema: z.ZodObject, given: Record<string, unknown>, place: Place): Record<string, unknown> {
  return checkAll({ [place]: { schema, given } })[place] ?? {};
}

/** Checks several parts of a request, so that one reply lists all errors. */
export function checkAll(
  parts: Readonly<Record<string, { readonly schema: z.ZodObject; readonly given: Record<string, unknown> }>>,
): Record<string, Record<string, unknown>> {
  const wrong: WrongField[] = [];
  const checked: Record<string, Record<string, unknown>> = {};
  for (const [place, { schema, given }] of Object.entries(parts)) {
    for (const name of Object.keys(given).filter((each) => !(each in schema.shape)))
      wrong.push({ pointer: `#/${place}/${clip(name, 100)}`, detail: `${clip(name, 100)}: is not a known field.` });
    const parsed = schema.safeParse(given);
    if (parsed.success) checked[place] = parsed.data;
    for (const issue of parsed.error?.issues ?? []) {
      const path = issue.path.map(String).join('/');
      wrong.push({ pointer: `#/${place}${path === '' ? '' : `/${path}`}`, detail: `${path || place}: ${issue.message}` });
    }
  }
  if (wrong.length > 0) throw invalid(wrong.slice(0, MAX_WRONG_FIELDS));
  return checked;
}

/** A secret still works on its last day. */
export function checkSecretExpiry(day: string | null | undefined, nowSeconds: number): void {
  if (day == null || day >= toDay(nowSeconds)) return;
  const detail = 'secret_expires_on: is in the past. Enter the day on which the new secret expires, or leave it out.';
  throw invalid([{ pointer: '#/secret_expires_on', detail }]);
}

/** Separates readable credentials from secrets, and seals the secrets. */
export function splitCredentials(
  contract: ConnectorContract,
  credentials: Record<string, unknown>,
  keyring: Keyring,
  place: { organizationUuid: string; connectionUuid: string },
): { plainCredentials: Record<string, unknown>; secrets: SealedSecret[] } {
  const secretFields = listSecretFields(contract);
  const entries = Object.entries(credentials).filter(([, value]) => value !== undefined);
  return {
    plainCredentials: Object.fromEntries(entries.filter(([field]) => !secretFields.has(field))),
    secrets: entries
      .filter(([field]) => secretFields.has(field))
      .map(([field, value]) => ({ field, ...keyring.seal(JSON.stringify(value), { ...place, field }) })),
  };
}

/** A reconnect may send only the changed credentials. The others must be stored already, and a stored secret stays only with its readable ones. */
export function checkReconnect(
  contract: ConnectorContract,
  given: Record<string, unknown>,
  present: { plainCredentials: Record<string, unknown>; secretFields: readonly string[] },
): Record<string, unknown> {
  const parsed = checkFields(contract.credentials.partial(), given, 'credentials');
  const kept = new Set([...Object.keys(present.plainCredentials), ...present.secretFields]);
  const missing = Object.entries(contract.credentials.shape).filter(
    ([name, schema]) => !(name in parsed) && !kept.has(name) && !(schema instanceof z.ZodOptional),
  );
  if (missing.length > 0)
    throw invalid(
      missing.map(([name]) => ({ pointer: `#/credentials/${name}`, detail: `${name}: is required, because no value is stored yet.` })),
    );
  const isChanged = Object.keys(present.plainCredentials).some(
    (name) => name in parsed && JSON.stringify(parsed[name]) !== JSON.stringify(present.plainCredentials[name]),
  );
  const secretFields = listSecretFields(contract);
  const absent = Object.entries(contract.credentials.shape).filter(
    ([name, schema]) => secretFields.has(name) && !(name in parsed) && !(schema instanceof z.ZodOptional),
  );
  // The stored secret would go to another account, such as another tenant.
  if (isChanged && absent.length > 0)
    throw invalid(
      absent.map(([name]) => ({
        pointer: `#/credentials/${name}`,
        detail: `${name}: send it again, because another readable credential changes, such as the tenant or the user.`,
      })),
    );
  if (Object.keys(given).length === 0) throw invalid([{ pointer: '#/credentials', detail: 'Send at least one credential to replace.' }]);
  return { ...present.plainCredentials, ...parsed };
}
