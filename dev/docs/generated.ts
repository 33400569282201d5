import { readFileSync } from 'node:fs';
import { describeConfiguration } from './configuration.js';
import { documentConnectors } from './connectors.js';
import { describeImports } from './import-table.js';
import { replaceBlock } from './markdown.js';
import { describePlaybookApi } from './playbook-api.js';

function readProjectFile(file: string): string {
  return readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
}

/** Each generated document with the content that it must have. */
export function generateDocuments(): { readonly file: string; readonly content: string }[] {
  const authoring = 'docs/authoring-playbooks.md';
  const architecture = 'docs/architecture.md';
  return [
    { file: 'docs/connectors.md', content: documentConnectors() },
    { file: 'docs/configuration.md', content: describeConfiguration(readProjectFile('.env.example')) },
    {
      file: architecture,
      content: replaceBlock(readProjectFile(architecture), 'imports', describeImports(readProjectFile('biome.json'))),
    },
    {
      file: authoring,
      content: Object.entries(describePlaybookApi()).reduce(
        (document, [name, content]) => replaceBlock(document, name, content),
        readProjectFile(authoring),
      ),
    },
  ];
}
