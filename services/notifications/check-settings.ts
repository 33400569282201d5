import { requireContract } from '../../channels/catalogue.js';
import { checkChannel } from '../../channels/kit/define.js';
import { invalid } from '../errors.js';

/** The settings and secrets with their defaults. Throws with the place of each error. */
export function checkSettings(kind: string, given: { readonly settings: unknown; readonly secrets: unknown }) {
  const checked = checkChannel(requireContract(kind), given);
  if ('issues' in checked) throw invalid(checked.issues.map(({ path, message }) => ({ pointer: `#/${path.join('/')}`, detail: message })));
  return checked;
}
