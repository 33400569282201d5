import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { rotate as rotateSecrets } from '../../../cli/rotate-keys.js';
import { describeFailure } from '../../../cli/running-database.js';
import { createAuthority, type StandIn, startStandIn } from '../../../connectors/kit/stand-in/stand-in.js';
import { defineThreatIntelligenceStandIn, type ThreatIntelligenceStandInState } from '../../../connectors/threat-intelligence/stand-in.js';
import { findOrganization } from '../../../db/identity/organizations.js';
import { newUuid } from '../../../db/ids.js';
import type { Keyring, SecretPlace } from '../../../platform/keyring.js';
import { readSettings } from '../../../platform/settings.js';
import { insertConnection } from '../../../services/connections/insert.js';
import { readClock } from '../../../services/context.js';
import { temporaryFolder } from '../../local/support/scripts.js';
import { adminPrincipal } from '../../support/principal.js';
import { startTestService, type TestService } from '../../support/service.js';
import type { Ended } from './run-command.js';

export const newKey = () => randomBytes(32).toString('base64');

export let service: TestService;
export let standIn: StandIn<ThreatIntelligenceStandInState>;
let folder: string;
export let keyFile: string;

/** Each test has a key file of its own, and starts the service with it. */
export function setUpRotation(): void {
  beforeAll(async () => {
    const authority = await createAuthority();
    standIn = await startStandIn({ authority, define: defineThreatIntelligenceStandIn });
  });
  afterAll(() => standIn?.stop());

  beforeEach(async () => {
    folder = await temporaryFolder();
    keyFile = path.join(folder, 'key');
    writeFileSync(keyFile, `${newKey()}\n`, { mode: 0o600 });
    writeFileSync(path.join(folder, 'ca.pem'), standIn.caPem);
  });
}

export async function start(worker: boolean): Promise<void> {
  service = await startTestService({
    worker,
    env: { MASTER_KEY: '', MASTER_KEY_FILE: keyFile, EGRESS_ALLOW: standIn.address, EGRESS_CA_FILE: path.join(folder, 'ca.pem') },
  });
}

const environment = (more: Record<string, string>) => ({
  DATABASE_URL: service.settings.DATABASE_URL,
  MASTER_KEY_FILE: keyFile,
  ...more,
});

/** Rotates in this process, because starting the command takes ten times as long. rotate-keys.full.test.ts starts it. */
export async function rotate(more: Record<string, string> = {}): Promise<Ended> {
  const lines: string[] = [];
  const end = (code: number, ...last: string[]) => ({ code, said: [...lines, ...last].join('\n') });
  return rotateSecrets(readSettings(environment(more)), (line) => lines.push(line)).then(
    () => end(0),
    (error: unknown) => end(1, String(describeFailure(error))),
  );
}

/** Creates a connection whose only secret is encrypted with this keyring. */
export async function seal(keyring: Keyring, secret: string): Promise<SecretPlace> {
  const organization = await findOrganization(service.database.db, 'DEMO');
  const place = { organizationUuid: organization?.organization_uuid ?? '', connectionUuid: newUuid(), field: 'api_key' };
  await insertConnection(
    { db: service.database.db, by: adminPrincipal(), now: readClock },
    {
      connectionUuid: place.connectionUuid,
      organizationUuid: place.organizationUuid,
      connectorKind: 'threat-intelligence',
      instanceName: `sealed ${place.connectionUuid}`,
      description: '',
      settings: {},
      plainCredentials: {},
      secrets: [{ field: place.field, ...keyring.seal(secret, place) }],
      remoteAgentUuid: null,
      needsSecondPerson: false,
      feedsIntake: false,
    },
  );
  return place;
}

export async function sealedAt({ connectionUuid, field }: SecretPlace) {
  const [row] = await service.database.pg<{ masterKeyId: string; wrappedKey: string; ciphertext: string }[]>`
    select master_key_id as "masterKeyId", wrapped_key as "wrappedKey", ciphertext from connection_secrets
    where connection_uuid = ${connectionUuid} and field = ${field}`;
  if (!row) throw new Error('no secret');
  return row;
}
export const keyIdsInUse = async () =>
  (await service.database.pg<{ id: string }[]>`select distinct master_key_id as id from connection_secrets`).map(({ id }) => id);
