import { findProviderBySegment } from '../../db/identity/providers.js';
import { providerSegment } from '../../domain/identity/identity.js';
import type { WorkContext } from '../context.js';
import { CommandError } from '../errors.js';
import { createProvider } from './create.js';
import type { Provider } from './wire.js';

/** Finds or creates a provider. Another process can create it in between. */
export async function ensureProvider(context: WorkContext, name: string): Promise<Provider> {
  const find = () => findProviderBySegment(context.db, providerSegment(name));
  const found = await find();
  if (found !== null) return found;
  try {
    return await createProvider(context, name);
  } catch (error) {
    const meanwhile = error instanceof CommandError && error.refusal === 'conflict' ? await find() : null;
    if (meanwhile === null) throw error;
    return meanwhile;
  }
}
