import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { writeSbom } from '../../dev/build/sbom.js';

const Sbom = z.object({
  bomFormat: z.literal('CycloneDX'),
  components: z.array(z.object({ purl: z.string(), properties: z.array(z.object({ name: z.string(), value: z.string() })) })),
});

it('lists the libraries of the product with exact versions, and marks its tools', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'alert-investigator-sbom-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'sbom.cdx.json');
  writeSbom(file);
  const { components } = Sbom.parse(JSON.parse(readFileSync(file, 'utf8')));
  const isTool = ({ properties }: (typeof components)[number]) => properties.some(({ name }) => name === 'cdx:npm:package:development');
  const purls = components.filter((each) => !isTool(each)).map(({ purl }) => purl);
  expect(purls).toContainEqual(expect.stringMatching(/^pkg:npm\/fastify@\d+\.\d+\.\d+$/));
  expect(purls).toContainEqual(expect.stringMatching(/^pkg:npm\/%40temporalio\/worker@\d+\.\d+\.\d+$/));
  expect(purls.filter((purl) => /npm\/vitest@/.test(purl))).toEqual([]);
});
