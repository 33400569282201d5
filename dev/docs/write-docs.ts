import { writeFileSync } from 'node:fs';
import { generateDocuments } from './generated.js';

for (const { file, content } of generateDocuments()) {
  writeFileSync(new URL(`../../${file}`, import.meta.url), content);
  console.log(`${file} is written.`);
}
