import { StartError } from '../platform/start-error.js';

const FORBID = 'ALERT_INVESTIGATOR_NO_SYSTEM_CHANGES';

/** Call before a change to the machine outside our folders. Prints the change, or throws when the user forbids such changes. */
export function announceSystemChange({ change, instead }: { change: string; instead: string }): void {
  if (process.env[FORBID]) throw new SystemChangeForbidden(`${FORBID} is set, so alert-investigator does not ${change}. ${instead}`);
  process.stderr.write(`alert-investigator will ${change}. To forbid this, set ${FORBID}=1.\n`);
}

export class SystemChangeForbidden extends StartError {}
