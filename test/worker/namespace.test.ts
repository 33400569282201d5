import { randomUUID } from 'node:crypto';
import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common';
import { pino } from 'pino';
import { expect, inject, it, onTestFinished, vi } from 'vitest';
import { SEARCH_ATTRIBUTES } from '../../domain/search-attributes.js';
import { prepareNamespace } from '../../platform/temporal.js';

it('adds the search attributes that an existing namespace lacks, also from two processes at once', async () => {
  const connection = await Connection.connect({ address: inject('temporalAddress') });
  onTestFinished(() => connection.close());
  const namespace = `attributes-${randomUUID()}`;
  const { workflowService, operatorService } = connection;
  await workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: msToTs('1 day') });
  // As a release before Verdict and CaseId left it.
  const earlier = SEARCH_ATTRIBUTES.filter((name) => name !== 'Verdict' && name !== 'CaseId');
  await vi.waitFor(
    () => operatorService.addSearchAttributes({ namespace, searchAttributes: Object.fromEntries(earlier.map((name) => [name, 2])) }),
    { timeout: 20_000, interval: 200 },
  );
  const prepare = () => prepareNamespace(connection, namespace, pino({ level: 'silent' }));
  await Promise.all([prepare(), prepare()]);
  const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
  expect(Object.keys(customAttributes ?? {})).toEqual(expect.arrayContaining([...SEARCH_ATTRIBUTES]));
});
