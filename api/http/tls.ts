import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { Logger } from '../../platform/log.js';
import { SettingsError } from '../../platform/settings.js';

/** The certificate and the key of the API, as PEM. */
export interface TlsFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** Polling also sees files that a tool replaces by renaming or through a symbolic link. */
const CHECK_EVERY_MS = 1_000;

/** Throws if a file cannot be read, or if the key does not belong to the certificate. */
function read({ certFile, keyFile }: TlsFiles): { cert: Buffer; key: Buffer } {
  const pair = { cert: readFileSync(certFile), key: readFileSync(keyFile) };
  createSecureContext(pair);
  return pair;
}

export function readTlsFiles(files: TlsFiles): { cert: Buffer; key: Buffer } {
  try {
    return read(files);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SettingsError(
      `The API cannot use TLS_CERT_FILE (${files.certFile}) and TLS_KEY_FILE (${files.keyFile}): ${reason}. Both must be PEM files of one certificate.`,
    );
  }
}

/** New connections use the new certificate. While only one of two files is replaced, the old pair stays. Returns a function that stops it. */
export function followTlsFiles(
  files: TlsFiles,
  server: { setSecureContext(pair: { cert: Buffer; key: Buffer }): void },
  log: Logger,
): () => void {
  const reload = () => {
    try {
      server.setSecureContext(read(files));
      log.info({ ...files }, 'loaded the changed TLS certificate');
    } catch (error) {
      log.warn({ err: error, ...files }, 'cannot load the changed TLS certificate: the API keeps the previous one');
    }
  };
  const paths = [files.certFile, files.keyFile];
  for (const path of paths) watchFile(path, { interval: CHECK_EVERY_MS, persistent: false }, reload);
  return () => {
    for (const path of paths) unwatchFile(path, reload);
  };
}
