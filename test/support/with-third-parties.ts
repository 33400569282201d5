import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';
import type { z } from 'zod';
import type { Authority } from '../../connectors/kit/stand-in/stand-in.js';
import { startThirdParties } from '../../connectors/stand-ins.js';
import type { Connection, CreateConnection } from '../../services/connections/wire.js';
import { startTestService, type TestService, type TestServiceOptions } from './service.js';

export type WithThirdParties = Awaited<ReturnType<typeof startWithThirdParties>>;

/** Starts a service and a stand-in for each third party. The service can reach no other address. */
export async function startWithThirdParties({
  authority,
  allow = [],
  egressOf,
  ...options
}: TestServiceOptions & {
  readonly authority?: Authority;
  /** More entries of EGRESS_ALLOW. */
  readonly allow?: readonly string[];
  /** The only organization that reaches the stand-ins. */
  readonly egressOf?: string;
} = {}) {
  const thirdParties = await startThirdParties(authority === undefined ? {} : { authority });
  // Kept until the end, because a worker that starts later reads the file again.
  const folder = mkdtempSync(path.join(tmpdir(), 'alert-investigator-third-parties-'));
  const caFile = path.join(folder, 'ca.pem');
  writeFileSync(caFile, thirdParties.caPem);
  const endThirdParties = async () => {
    await thirdParties.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  const entries = thirdParties.allow.map((address) => (egressOf === undefined ? address : `${egressOf}:${address}`));
  const egress = { EGRESS_ALLOW: [...entries, ...allow].join(','), EGRESS_CA_FILE: caFile };
  const service = await startTestService({ ...options, env: { ...egress, ...options.env } }).catch(async (error: unknown) => {
    await endThirdParties();
    throw error;
  });
  return {
    service,
    thirdParties,
    /** Settings for another service that uses the same stand-ins. */
    egress,
    async stop(): Promise<void> {
      await service.stop();
      await endThirdParties();
    },
  };
}

type NewConnection = Omit<z.input<typeof CreateConnection>, 'organization_code'> & { readonly organization_code?: string };

/** Default organization: the one that test alerts belong to. One person approves each write, unless the test says otherwise. */
export async function createConnection(service: TestService, connection: NewConnection): Promise<string> {
  const body = { organization_code: 'DEMO', needs_second_person: false, ...connection };
  const reply = await service.request<Connection>('POST', '/platformapi/connections', { body });
  expect(reply).toMatchObject({ status: 201 });
  return reply.body.connection_id;
}
