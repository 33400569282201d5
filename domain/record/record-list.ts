import { z } from 'zod';
import { Severity } from '../verdict/evidence.js';
import { RecordConclusion, RecordKind } from './record.js';

/** A copied record as the API lists it. */
export const ListedRecord = z.object({
  record_uuid: z.uuid(),
  record_id: z.string().describe('The id at the third party.'),
  kind: RecordKind,
  connection_id: z.uuid(),
  connection: z.string().describe('The name of the connection.'),
  connector: z.string(),
  organization_code: z.string(),
  title: z.string(),
  severity: Severity.nullable(),
  is_open: z.boolean(),
  state: z.string().describe('The state in the words of the third party.'),
  conclusion: RecordConclusion.nullable().describe('What a person at the third party concluded.'),
  happened_at: z.number().nullable().describe('Unix epoch seconds'),
  updated_at: z.number().nullable().describe('Unix epoch seconds'),
  merged_into: z.string().nullable().describe('The id of the record that this one was merged into.'),
  techniques: z.array(z.string()),
  values: z.array(z.string()).describe('Entities of the record, in the spellings of the search.'),
});
export type ListedRecord = z.infer<typeof ListedRecord>;

/** How fresh the copy of one kind of records of a connection is. */
export const RecordCopy = z.object({
  connection_id: z.uuid(),
  connection: z.string().describe('The name of the connection.'),
  connector: z.string(),
  organization_code: z.string(),
  kind: RecordKind,
  covered_from: z.number().nullable().describe('The copy has the records that changed since this time. Unix epoch seconds'),
  read_at: z.number().nullable().describe('The last complete read; null: none yet. Unix epoch seconds'),
  is_reading: z.boolean(),
  last_error: z.string().nullable().describe('Why the last read failed; null: it did not.'),
});
export type RecordCopy = z.infer<typeof RecordCopy>;
