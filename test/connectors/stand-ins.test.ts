import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalogue } from '../../connectors/catalogue.js';
import { implementations } from '../../connectors/implementations.js';
import type { Catalogue, ConnectorContract } from '../../connectors/kit/define.js';
import type { ConnectionTest, SkillContext } from '../../connectors/kit/implement.js';
import { startThirdParties, type ThirdParties } from '../../connectors/stand-ins.js';
import { contextFor } from '../support/third-parties.js';

const connectors: Catalogue = catalogue;
const tests: Readonly<Record<string, { test(context: SkillContext<never>): Promise<ConnectionTest> }>> = implementations;

let thirdParties: ThirdParties;
beforeAll(async () => {
  thirdParties = await startThirdParties();
});
afterAll(() => thirdParties.stop());

describe.each(Object.entries(connectors))('the stand-in of %s', (name, contract: ConnectorContract) => {
  it('accepts the connection that it describes', async () => {
    const connections: Readonly<Record<string, ThirdParties['connections'][keyof ThirdParties['connections']]>> = thirdParties.connections;
    const standIns: Readonly<Record<string, ThirdParties['standIns'][keyof ThirdParties['standIns']]>> = thirdParties.standIns;
    const [fields, standIn] = [connections[name], standIns[name]];
    if (!fields || !standIn) throw new Error(`${name} has no stand-in`);
    expect(fields.connector).toBe(contract.kind);
    const context = contextFor(contract, standIn, { settings: fields.settings, credentials: fields.credentials });
    expect((await tests[name]?.test(context as SkillContext<never>))?.credentials).toMatchObject({ ok: true });
  });
});
