import { toIsoString } from '../../domain/alert/intake-source.js';
import { type ListCopy, limitAnswer, WHOLE_LIST } from '../../domain/record/list-copy.js';
import { Alert } from './contract/alerts.js';
import { Machine } from './contract/machines.js';
import { Recommendation } from './contract/vulnerabilities.js';
import { endpointDetection } from './contract.js';

const { listMachines, getMachine, getAlert, listRecommendations } = endpointDetection.skills;

const DAY_SECONDS = 86_400;
/** Alerts of today rarely name an older alert. */
const ALERT_DAYS = 14;

/** The list has no total. Its pages are large, so most organizations need one request. */
export const machineCopy: ListCopy = {
  kind: 'machine',
  verb: 'listMachines',
  freshSeconds: 300,
  pageItems: 999,
  listPeriods: () => [WHOLE_LIST],
  buildInput: () => ({}),
  read(item) {
    const { data } = Machine.safeParse(item);
    if (!data) return null;
    const { id, computerDnsName, lastIpAddress } = data;
    const names = [id, computerDnsName].flatMap((name) => (name ? [`machine:${name.toLowerCase()}`] : []));
    return { itemId: id, at: null, keys: [...new Set([...names, ...(lastIpAddress ? [`ip:${lastIpAddress}`] : [])])] };
  },
  questions: {
    listMachines(asked) {
      const { computer_dns_name, last_ip_address, max_items, ...others } = listMachines.input.parse(asked);
      const isOther = Object.values(others).some((value) => value !== undefined);
      const name = computer_dns_name?.toLowerCase();
      const keys = [
        ...(name === undefined ? [] : [`machine:${name}`]),
        ...(last_ip_address === undefined ? [] : [`ip:${last_ip_address}`]),
      ];
      if (isOther || keys.length !== 1) return null;
      return {
        ...WHOLE_LIST,
        keys,
        answer(items) {
          const machines = items
            .map((item) => Machine.parse(item))
            .filter((machine) => name === undefined || machine.computerDnsName?.toLowerCase() === name);
          return { ...limitAnswer(machines, max_items), total: null };
        },
      };
    },
    getMachine(asked) {
      const { machine_id } = getMachine.input.parse(asked);
      return {
        ...WHOLE_LIST,
        keys: [`machine:${machine_id.toLowerCase()}`],
        // Only the third party says that it does not know a machine, or which one a name means.
        answer: ([machine, ...others]) => (machine === undefined || others.length > 0 ? null : Machine.parse(machine)),
      };
    },
  },
};

/** Each with its evidence, as the single alert has it. */
export const alertCopy: ListCopy = {
  kind: 'alert',
  verb: 'listAlerts',
  freshSeconds: 60,
  pageItems: 1000,
  listPeriods: (now) => [{ from: Math.floor(now / DAY_SECONDS) * DAY_SECONDS - ALERT_DAYS * DAY_SECONDS, until: null }],
  buildInput: ({ from }) => ({ updated_since: toIsoString(from ?? 0) }),
  read(item) {
    const { data } = Alert.safeParse(item);
    return data ? { itemId: data.id, at: null, keys: [`alert:${data.id}`] } : null;
  },
  questions: {
    getAlert(asked, now) {
      const { alert_id } = getAlert.input.parse(asked);
      return {
        from: now,
        until: null,
        keys: [`alert:${alert_id}`],
        // An older alert, and one that does not exist, only the third party knows.
        answer: ([alert]) => (alert === undefined ? null : Alert.parse(alert)),
      };
    },
  },
};

/** One for each product to update, so the list is short. */
export const recommendationCopy: ListCopy = {
  kind: 'recommendation',
  verb: 'listRecommendations',
  freshSeconds: 900,
  pageItems: 999,
  listPeriods: () => [WHOLE_LIST],
  buildInput: () => ({}),
  read(item) {
    const { data } = Recommendation.safeParse(item);
    return data ? { itemId: data.id, at: null, keys: data.productName ? [`product:${data.productName.toLowerCase()}`] : [] } : null;
  },
  questions: {
    listRecommendations(asked) {
      const { product_name, max_items, ...others } = listRecommendations.input.parse(asked);
      if (product_name === undefined || Object.values(others).some((value) => value !== undefined)) return null;
      return {
        ...WHOLE_LIST,
        keys: [`product:${product_name.toLowerCase()}`],
        answer: (items) => ({ ...limitAnswer(items, max_items), total: null }),
      };
    },
  },
};
