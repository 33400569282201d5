import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { listFiles, ROOT } from './digest.js';

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/** The best quality takes seconds once for each build, and saves 7 % on each first visit. */
const BROTLI_QUALITY = 11;

/** Libraries that every page needs. One file of them compresses better than the parts that the bundler would make. */
const EVERY_PAGE = /node_modules\/(?:react|react-dom|scheduler|use-sync-external-store|@tanstack\/[\w-]+|@floating-ui\/[\w-]+)\//;

/** What both lists need, for the same reason. */
const EVERY_LIST =
  /dashboard\/(?:queries\/(?:kit|organizations|alerts)|components\/(?:badges|column-chooser|data-table|filters|full-list|paged-list|search-field|short-text|sort-button|time|time-zone))\.tsx?$/;

/** Builds the pages into a folder, with a compressed copy of each file. */
export async function bundleDashboard(outDir: string): Promise<void> {
  await build({
    root: path.join(ROOT, 'dashboard'),
    configFile: false,
    logLevel: 'warn',
    plugins: [react()],
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2022',
      chunkSizeWarningLimit: 1000,
      rolldownOptions: {
        output: {
          codeSplitting: {
            groups: [
              { name: 'libraries', test: EVERY_PAGE },
              { name: 'lists', test: EVERY_LIST },
            ],
          },
        },
      },
    },
  });
  await compressFiles(outDir);
}

async function compressFiles(folder: string): Promise<void> {
  // Not index.html, because the API fills it in for each request.
  const files = listFiles(folder).filter((file) => /\.(js|css|svg)$/.test(file));
  await Promise.all(
    files.map(async (file) => {
      const content = readFileSync(file);
      const [brotli, zipped] = await Promise.all([
        toBrotli(content, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
        toGzip(content, { level: constants.Z_BEST_COMPRESSION }),
      ]);
      writeFileSync(`${file}.br`, brotli);
      writeFileSync(`${file}.gz`, zipped);
    }),
  );
}
