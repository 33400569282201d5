import { requireContract } from '../../channels/catalogue.js';
import { checkChannel, findForeignSettings, fixedSettings, type OperatorSettings } from '../../channels/kit/define.js';
import { invalid } from '../errors.js';

interface Given {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly secrets: unknown;
}

/** The settings and secrets with their defaults and the values of the operator. Throws with the place of each error. */
export function checkSettings(kind: string, { settings, secrets }: Given, operator: OperatorSettings) {
  const contract = requireContract(kind);
  const foreign = findForeignSettings(contract, settings, operator);
  if (foreign.length > 0) throw invalid(foreign.map(({ path, message }) => ({ pointer: `#/settings/${path.join('/')}`, detail: message })));
  const checked = checkChannel(contract, { settings: { ...settings, ...fixedSettings(contract, operator) }, secrets });
  if ('issues' in checked) throw invalid(checked.issues.map(({ path, message }) => ({ pointer: `#/${path.join('/')}`, detail: message })));
  return checked;
}
