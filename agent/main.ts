import { readFileSync } from 'node:fs';
import { Egress } from '../connectors/kit/egress.js';
import { listUnnamed } from '../platform/egress-allow.js';
import { createLogger } from '../platform/log.js';
import { runProcess } from '../platform/process.js';
import { loadEnvFile, readSettings, SettingsError } from '../platform/settings.js';
import { runAgent } from './agent.js';

/** `alert-investigator agent`: performs the steps of the connections that are routed through it. */
export async function runAgentProcess(): Promise<void> {
  await runProcess(async () => {
    loadEnvFile();
    const { AGENT_API_URL: apiUrl, AGENT_TOKEN: token, EGRESS_ALLOW: allow, EGRESS_CA_FILE: caFile, LOG_LEVEL } = readSettings(process.env);
    if (apiUrl === undefined || token === undefined)
      throw new SettingsError('Set AGENT_API_URL and AGENT_TOKEN. POST /platformapi/remote-agents creates a token.');
    const log = createLogger(LOG_LEVEL, 'agent');
    const named = allow.filter((entry) => !listUnnamed([entry]).includes(entry));
    if (named.length > 0)
      throw new SettingsError(`EGRESS_ALLOW of an agent names no organization: remove the name from ${named.join(', ')}.`);
    const stopping = new AbortController();
    const egress = new Egress({ allow, ca: caFile === undefined ? null : readFileSync(caFile, 'utf8') });
    const running = runAgent({ apiUrl, token, egress, signal: stopping.signal, log });
    log.info({ api_url: apiUrl }, 'agent is running');
    return async () => {
      stopping.abort();
      await running;
      log.info('agent has stopped');
    };
  });
}
