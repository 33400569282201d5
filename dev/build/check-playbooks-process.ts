import { readFileSync } from 'node:fs';
import path from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { ALERT_TYPE_MAX_LENGTH } from '../../domain/alert/alert.js';
import { CATEGORIES } from '../../domain/alert/category.js';
import { describeImport, describeUse } from '../../domain/playbook/forbidden-globals.js';
import { clip, text, toLine } from '../../domain/text.js';
import { Severity } from '../../domain/verdict/evidence.js';
import { ROOT } from './digest.js';
import { listForbiddenGlobals, listNodeImports } from './forbidden-code.js';
import { exportName } from './playbook-list.js';

/** A playbook can do anything while it loads, so it is loaded in a process of its own. */
const { folder, names } = z.object({ folder: z.string(), names: z.array(z.string()) }).parse(JSON.parse(await readText(process.stdin)));

const MAX_REASON_LENGTH = 500;

/** The parts that a worker registers. */
const Definition = z.object({
  title: text(200),
  alertTypes: z.array(text(ALERT_TYPE_MAX_LENGTH)),
  categories: z.array(z.enum(CATEGORIES)).optional(),
  severity: Severity.optional(),
});

async function findFault(name: string): Promise<string | null> {
  const file = path.join(folder, `${name}.ts`);
  const place = path.relative(ROOT, file);
  try {
    const [use] = await listForbiddenGlobals(readFileSync(file, 'utf8'));
    if (use !== undefined) return describeUse(place, use);
    const [imported] = await listNodeImports(file);
    if (imported !== undefined) return describeImport(place, imported);
    const module: object = await import(pathToFileURL(file).href);
    const playbook: unknown = Reflect.get(module, exportName(name));
    if (typeof playbook !== 'function' || !('definition' in playbook))
      return `${place} exports no playbook with the name ${exportName(name)}. Export it, or delete the file.`;
    const { error } = Definition.safeParse(playbook.definition);
    return error === undefined ? null : `${place} has a wrong definition: ${z.prettifyError(error)}. Correct it.`;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return `${place} cannot be loaded: ${message}. Correct the file.`;
  }
}

const faults: { name: string; reason: string }[] = [];
for (const name of names) {
  const reason = await findFault(name);
  if (reason !== null) faults.push({ name, reason: clip(toLine(reason), MAX_REASON_LENGTH) });
}
process.stdout.write(`\n${JSON.stringify(faults)}`, () => process.exit());
