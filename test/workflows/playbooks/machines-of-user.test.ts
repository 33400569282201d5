import { describe, expect, it } from 'vitest';
import { malwareOnHost } from '../../../workflows/playbooks/malware-on-host.js';
import { answersWith, expectVerdict, investigateWith, record, whole } from '../../support/playbook-kit.js';

async function investigate(content: string) {
  const queries: string[] = [];
  const machines: string[] = [];
  const skills = answersWith({
    endpointDetection: {
      runAdvancedQuery: async ({ query }: { query: string }) => {
        queries.push(query);
        return { ...whole({ DeviceName: 'ws-014.corp.example', Timestamp: '2026-01-15T10:00:00Z' }), schema: [] };
      },
    },
    malwareProtection: {
      listComputers: async (input: { hostname?: string[] | undefined }) => {
        machines.push(...(input.hostname ?? []));
        return whole();
      },
    },
  });
  const confirmed = record({ shared: ['ws-014'], conclusion: 'malicious', isOpen: false, state: 'Resolved, TruePositive' });
  const result = await investigateWith(malwareOnHost, { alert: { type: 'Malware detected', content }, skills, records: [confirmed] });
  return { result, queries, machines };
}

describe('the machines that an account used last', () => {
  it('are found and asked about if the alert names only the account', async () => {
    const { result, queries, machines } = await investigate('user=CORP\\dana ran a strange file');
    expect(queries).toHaveLength(1);
    expect(queries[0]).toContain('where AccountName =~ "dana" and');
    expect(machines).toContain('ws-014.corp.example');
    expectVerdict(result, 'malicious', { because: /ws-014/ });
  });

  it('are not asked if the alert names a machine: hunting queries have a small quota', async () => {
    expect((await investigate('user=CORP\\dana host=ws-014.corp.example')).queries).toEqual([]);
  });
});
