import { expect, vi } from 'vitest';
import { z } from 'zod';
import { freePort } from '../../../local/ports.js';
import { SETTING_NAMES } from '../../../platform/settings.js';
import { type Script, startCommand } from './scripts.js';

const SOON = { timeout: 120_000, interval: 200 };
const ALERT = {
  organization_code: 'DEMO',
  alert_provider: 'email-security',
  alert_type: 'Reported phishing',
  alert_content: 'Verify your account at http://203.0.113.7/login within 24 hours.',
  created_at_source: 1_767_225_600,
};

/** Runs `npm start` without the .env file and the settings of the machine. */
export function start(folder: string, settings: Record<string, string>, command: 'start' | 'demo' = 'start'): Script {
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => name === 'TEMPORAL_CLI' || !SETTING_NAMES.includes(name)),
  );
  return startCommand([command], { cwd: folder, env: { ...inherited, DATA_DIR: folder, ...settings } });
}

export async function freePorts(): Promise<{ PORT: string; TEMPORAL_UI_PORT: string }> {
  return { PORT: String(await freePort()), TEMPORAL_UI_PORT: String(await freePort()) };
}

export function createClient(port: string, key: string) {
  const url = `http://127.0.0.1:${port}`;
  const headers = { cookie: `Session=${key}`, 'content-type': 'application/json' };
  return {
    url,
    sendAlert: async (given: Partial<typeof ALERT> = {}): Promise<string> => {
      const body = JSON.stringify({ ...ALERT, ...given });
      const response = await fetch(`${url}/platformapi/alerts`, { method: 'POST', headers, body });
      return z.object({ alert_id: z.string() }).parse(await response.json()).alert_id;
    },
    /** Waits for status Completed (15), when the verdict is stored. */
    untilInvestigated: (alertId: string) =>
      vi.waitFor(async () => {
        const response = await fetch(`${url}/platformapi/alerts/${alertId}`, { headers });
        expect(await response.json()).toMatchObject({ alert_id: alertId, investigation_status: 15 });
      }, SOON),
  };
}
