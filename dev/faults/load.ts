import { setTimeout as sleep } from 'node:timers/promises';
import { COMPUTERS, INDICATORS, PEOPLE } from '../../connectors/kit/stand-in/company.js';
import { Alert } from '../../domain/alert/alert.js';
import type { CreateAlert } from '../../services/alerts/wire.js';
import { sendCarefully } from '../load/sender.js';
import type { Installation, Reply } from './installation.js';
import type { AcknowledgedAlert, RequestedWrite } from './outcome.js';

export interface Sent {
  readonly acknowledged: readonly AcknowledgedAlert[];
  readonly requested: readonly RequestedWrite[];
}

export interface Load {
  /** Part of every alert and comment of this load. */
  readonly label: string;
  /** Sends an alert like the others, also while the load runs. */
  send(alert: Pick<CreateAlert, 'alert_type' | 'alert_content'> & Partial<CreateAlert>): Promise<AcknowledgedAlert>;
  /** Sends an alert without retries. An acknowledgement counts like the others. Rejects without a reply. */
  sendOnce(alert: Pick<CreateAlert, 'alert_type' | 'alert_content'>): Promise<Reply>;
  /** Requests a write once: a lost reply is not repeated. Resolves with the reply, or null without one. */
  write(connectionId: string, machineId: string): Promise<{ status: number } | null>;
  countAcknowledged(): number;
  /** Stops sending. Resolves when every alert is acknowledged and every write has its reply. */
  stop(): Promise<Sent>;
}

const ALERT_EVERY_MS = 500;
/** Together below the request limits of the third parties, also for the alerts of an outage. */
const WRITE_EVERY_MS = 3_000;
const ASKING_EVERY = 6;
const WRITE_REPLY_LIMIT_MS = 90_000;
const [DANA] = PEOPLE;

export function startLoad(installation: Installation, label: string, signal: AbortSignal): Load {
  const acknowledged: AcknowledgedAlert[] = [];
  const requested: RequestedWrite[] = [];
  const pending = new Set<Promise<unknown>>();
  const stopping = new AbortController();
  let sent = 0;
  const failures: unknown[] = [];
  const track = <Result>(work: Promise<Result>): Promise<Result> => {
    const ended: Promise<unknown> = work.then(
      () => pending.delete(ended),
      (error) => {
        pending.delete(ended);
        failures.push(error);
      },
    );
    pending.add(ended);
    return work;
  };
  const prepare = (given: Parameters<Load['send']>[0]) => {
    sent += 1;
    const alert_content = `${given.alert_content}\n\n${label} alert ${sent}`;
    const alert = { organization_code: installation.organization, alert_provider: 'siem', ...given, alert_content };
    return { alert, idempotencyKey: `${label}-${sent}` };
  };

  const load: Load = {
    label,
    countAcknowledged: () => acknowledged.length,
    send: (given) =>
      track(
        (async () => {
          const { alert, idempotencyKey } = prepare(given);
          const { alertId } = await sendCarefully({
            alert,
            idempotencyKey,
            apiUrls: [installation.apiUrl],
            apiKey: installation.adminKey,
            signal,
          });
          const answered = { alertId, content: alert.alert_content };
          acknowledged.push(answered);
          return answered;
        })(),
      ),
    async sendOnce(given) {
      const { alert } = prepare(given);
      const reply = await installation.request('POST', '/platformapi/alerts', alert);
      if (reply.status === 201) acknowledged.push({ alertId: Alert.parse(reply.body).alert_id, content: alert.alert_content });
      return reply;
    },
    write: (connectionId, machineId) =>
      track(
        (async () => {
          const comment = `${label} write ${requested.length + 1}`;
          const index = requested.push({ comment, isDone: false }) - 1;
          const body = { input: { machine_id: machineId, comment }, confirm: true };
          const reply = await installation
            .request('POST', `/platformapi/connections/${connectionId}/skills/isolate-machine`, body, WRITE_REPLY_LIMIT_MS)
            .catch(() => null);
          requested[index] = { comment, isDone: reply?.status === 200 };
          return reply;
        })(),
      ),
    async stop() {
      stopping.abort();
      await Promise.all(loops);
      while (pending.size > 0) await Promise.all(pending);
      if (failures.length > 0) throw failures[0];
      return { acknowledged, requested };
    },
  };

  const repeat = async (everyMs: number, act: (count: number) => void) => {
    for (let count = 1; !stopping.signal.aborted && !signal.aborted; count += 1) {
      act(count);
      await sleep(everyMs, undefined, { signal: AbortSignal.any([stopping.signal, signal]) }).catch(() => undefined);
    }
  };
  const loops = [
    // `stop` throws the failure.
    repeat(ALERT_EVERY_MS, (count) => void load.send(buildAlert(label, count)).catch(() => undefined)),
    repeat(WRITE_EVERY_MS, (count) => {
      const machineId = COMPUTERS[count % COMPUTERS.length]?.machineId ?? '';
      void load.write(installation.endpointConnectionId, machineId);
    }),
  ];
  return load;
}

/** Half of the alerts have a written playbook. One in six names a new sender, about whom third parties are asked. */
function buildAlert(label: string, count: number): Pick<CreateAlert, 'alert_type' | 'alert_content'> {
  if (count % 2 === 1) return { alert_type: 'Odd sign-in', alert_content: 'A sign-in at an unusual hour.' };
  if (count % ASKING_EVERY !== 0) return { alert_type: 'Reported phishing', alert_content: 'Please look at this message.' };
  const from = `Parcel service <notice@${label}-${count}.example>`;
  const mail = `From: ${from}\nTo: ${DANA.email}\nSubject: Your parcel\n\nSee ${INDICATORS.maliciousUrl}`;
  return { alert_type: 'Reported phishing', alert_content: mail };
}
