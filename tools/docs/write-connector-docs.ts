import { readFileSync, writeFileSync } from 'node:fs';
import { withConnectorDocs } from './connector-docs.js';

const README = new URL('../../README.md', import.meta.url);
writeFileSync(README, withConnectorDocs(readFileSync(README, 'utf8')));
