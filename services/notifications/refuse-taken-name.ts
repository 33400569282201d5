import { isUniqueViolation } from '../../db/client.js';
import { conflict } from '../errors.js';

export async function refuseTakenName<Saved>(save: () => Promise<Saved>): Promise<Saved> {
  try {
    return await save();
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw conflict('The organization already has a notification channel with this name. Choose another name.', {
      errors: [{ pointer: '#/name', detail: 'name: is taken.' }],
    });
  }
}
