import { describe, expect, it } from 'vitest';
import type { Db, Transaction } from '../../db/client.js';
import { asService, inTransaction, type WorkContext } from '../../services/context.js';

/** A database that notes what happens to it. */
function createDatabase(happened: string[]): Db {
  const open = (name: string) => ({
    transaction: async (work: (inner: Transaction) => Promise<unknown>) => {
      const result = await work(open('savepoint') as unknown as Transaction);
      happened.push(name === 'pool' ? 'commit' : 'release');
      return result;
    },
  });
  return open('pool') as unknown as Db;
}

const leave = (context: WorkContext, happened: string[], name: string) =>
  inTransaction(context, async ({ beforeCommit, afterCommit }) => {
    afterCommit(async () => void happened.push(`signal of ${name}`));
    beforeCommit(async () => void happened.push(`event of ${name}`));
    happened.push(`rows of ${name}`);
  });

describe('a transaction of a command', () => {
  it('writes events after all rows and sends signals after the commit, also those of a command that joins it', async () => {
    const happened: string[] = [];
    await inTransaction(asService(createDatabase(happened)), async (inside) => {
      await leave(inside, happened, 'inner');
      await leave(inside, happened, 'other');
    });
    expect(happened).toEqual([
      'rows of inner',
      'release',
      'rows of other',
      'release',
      'event of inner',
      'event of other',
      'commit',
      'signal of inner',
      'signal of other',
    ]);
  });

  it('leaves out events and signals of a command that failed', async () => {
    const happened: string[] = [];
    await inTransaction(asService(createDatabase(happened)), async (inside) => {
      const failed = inTransaction(inside, async ({ beforeCommit, afterCommit }) => {
        beforeCommit(async () => void happened.push('event'));
        afterCommit(async () => void happened.push('signal'));
        throw new Error('refused');
      });
      await expect(failed).rejects.toThrow('refused');
    });
    expect(happened).toEqual(['commit']);
  });
});
