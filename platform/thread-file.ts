import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The file of a thread next to the module that starts it. In a source checkout it is TypeScript, so it needs the tsx loader. */
export function threadFile(moduleUrl: string, name: string): { filename: string; execArgv?: string[] } {
  const isSource = new URL(moduleUrl).pathname.endsWith('.ts');
  const filename = fileURLToPath(new URL(`./${name}.${isSource ? 'ts' : 'js'}`, moduleUrl));
  if (!isSource) return { filename };
  return { filename, execArgv: ['--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href] };
}
