import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';
import type { z } from 'zod';
import { startThirdParties } from '../../activities/connectors/stand-ins.js';
import type { Connection, CreateConnection } from '../../domain/connection/connection.js';
import { startTestService, type TestService, type TestServiceOptions } from './service.js';

export type WithThirdParties = Awaited<ReturnType<typeof startWithThirdParties>>;

/** A service beside a stand-in for each third party: it may go to these and nowhere else. */
export async function startWithThirdParties(options: TestServiceOptions = {}) {
  const thirdParties = await startThirdParties();
  // Kept to the end: a worker that is started later reads it again.
  const folder = mkdtempSync(path.join(tmpdir(), 'alert-investigator-third-parties-'));
  const caFile = path.join(folder, 'ca.pem');
  writeFileSync(caFile, thirdParties.caPem);
  const endThirdParties = async () => {
    await thirdParties.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  const egress = { EGRESS_ALLOW: thirdParties.allow.join(','), EGRESS_CA_FILE: caFile };
  const service = await startTestService({ ...options, env: { ...egress, ...options.env } }).catch(async (error: unknown) => {
    await endThirdParties();
    throw error;
  });
  return {
    service,
    thirdParties,
    /** The settings of a further service that may go to the same ones. */
    egress,
    async stop(): Promise<void> {
      await service.stop();
      await endThirdParties();
    },
  };
}

type NewConnection = Omit<z.input<typeof CreateConnection>, 'organization_code'> & { readonly organization_code?: string };

/** Of the organization that tests send alerts of, unless told. */
export async function createConnection(service: TestService, connection: NewConnection): Promise<string> {
  const body = { organization_code: 'DEMO', ...connection };
  const reply = await service.request<Connection>('POST', '/platformapi/connections', { body });
  expect(reply).toMatchObject({ status: 201 });
  return reply.body.connection_id;
}
