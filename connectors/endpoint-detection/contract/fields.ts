import { z } from 'zod';

// A field that the third party omits, sends as null or in an undocumented form is null here.
export const text = z.string().nullable().catch(null);
export const count = z.number().nullable().catch(null);
export const flag = z.boolean().nullable().catch(null);
export const texts = z.array(z.string()).catch([]);
/** Text, although the third party sends a number: a large number would lose digits. */
export const id = z.preprocess((value) => (typeof value === 'number' ? String(value) : value), z.string().min(1));
export const idOrNull = z.preprocess((value) => (typeof value === 'number' ? String(value) : value), z.string().nullable().catch(null));
export const time = z.iso.datetime({ offset: true }).max(40);
export const word = z.string().min(1).max(200);
export const Severity = z.enum(['Informational', 'Low', 'Medium', 'High']);
export const alertId = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]*$/)
  .max(128);
export const machineId = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/)
  .max(255)
  .describe("The machine's id (40 hexadecimal digits) or the computer's name.");
export const actionId = z.guid().max(36).describe('The id of the action, from its output.');
export const comment = z.string().min(1).max(1000).describe('The reason, shown with the action at the third party.');
export const cveId = z
  .string()
  .regex(/^CVE-\d{4}-\d{4,}$/i)
  .max(30);
export const MACHINE_READ = 'Machine.Read.All or Machine.ReadWrite.All';
export const LIST_SECONDS = 120;
/** Constant: two proposals with the same input count as one. */
export const PROPOSED_BY = 'Proposed by the investigation of an alert.';
