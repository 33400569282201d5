import { expect, it } from 'vitest';
import { endpointDetection } from '../../connectors/endpoint-detection/contract.js';
import { proposalNote } from '../../workflows/lib/propose.js';

const proposed = { reason: 'It calls home.', state: 'waiting', caution: [] };
const readNote = (result: object) =>
  proposalNote(endpointDetection.skills.isolateMachine, null, { ...proposed, ...result } as unknown as Parameters<typeof proposalNote>[2]);

it.each(['existingCaseId', 'standsIn'])('names the case that has the same proposal, as a result with %s states it', (field) => {
  expect(readNote({ [field]: 'DEMO-CASE-5' }).reason).toBe(
    'It calls home. The same action is already proposed in DEMO-CASE-5: it needs approval there.',
  );
  expect(readNote({ [field]: null }).reason).toBe('It calls home. Needs approval.');
});
