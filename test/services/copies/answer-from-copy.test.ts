import { EventEmitter, once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CopyQuestion, ListCopy } from '../../../domain/record/list-copy.js';
import { WHOLE_LIST } from '../../../domain/record/list-copy.js';
import { createCopier } from '../../../services/copies/answer-from-copy.js';
import { changeConnections } from '../../support/rows.js';
import { createConnection, startWithThirdParties, type WithThirdParties } from '../../support/with-third-parties.js';

const TEN_MINUTES_MS = 600_000;
let started: WithThirdParties;
let connectionUuid: string;

beforeAll(async () => {
  started = await startWithThirdParties({ worker: false });
  const fields = started.thirdParties.connections.malwareProtection;
  connectionUuid = await createConnection(started.service, { ...fields, instance_name: 'Malware protection' });
  await changeConnections(started.service, { connectionUuid }, { generation: 1 });
});
afterAll(() => started?.stop());

const source: ListCopy = {
  kind: 'name',
  verb: 'listNames',
  freshSeconds: 3600,
  pageItems: 100,
  listPeriods: () => [WHOLE_LIST],
  buildInput: () => ({}),
  read: (item) => ({ itemId: String(item), at: null, keys: [String(item)] }),
  questions: {},
};
const askFor = (name: string): CopyQuestion => ({ ...WHOLE_LIST, keys: [name], answer: (items) => items });

it('does not hold up questions while a slow list is read', async () => {
  const thirdParty = new EventEmitter();
  const requested = once(thirdParty, 'requested');
  const replied = once(thirdParty, 'replied');
  const answer = createCopier({
    pg: started.service.database.pg,
    async list() {
      thirdParty.emit('requested');
      await replied;
      return { items: ['a', 'b'], total: 2, cut: null };
    },
    timings: { maxWaitMs: 10 },
  });
  const place = { connectionUuid, kind: source.kind, generation: 1 };
  const { signal } = new AbortController();
  const ask = (name: string) => answer({ place, source, question: askFor(name), signal, patienceMs: TEN_MINUTES_MS });
  const first = ask('a');
  await requested;
  expect(await ask('b')).toBeNull();
  thirdParty.emit('replied');
  expect(await first).toMatchObject({ output: ['a'] });
  expect(await ask('b')).toMatchObject({ output: ['b'] });
});
