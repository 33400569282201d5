import { newUuid } from '../../db/ids.js';
import {
  insertPlaybook,
  lockWrittenPlaybooks,
  readWrittenTypes,
  replaceWrittenTypes,
  updatePlaybook,
} from '../../db/playbooks/playbooks.js';
import { alertTypeKey } from '../../domain/alert/alert.js';
import { leaveOutSharedTypes, type PlaybookDeclaration, type SharedType } from '../../domain/playbook/playbook.js';
import { inTransaction, type WorkContext } from '../context.js';

/**
 * A worker registers its written playbooks when it starts. A playbook that it does not declare takes no more alerts. Returns those that
 * are left out, because two playbooks for one alert type must not keep the service from starting.
 */
export function registerWrittenPlaybooks(context: WorkContext, declared: readonly PlaybookDeclaration[]): Promise<SharedType[]> {
  return inTransaction(context, async ({ db, now }) => {
    const known = new Map((await lockWrittenPlaybooks(db)).map((row) => [row.workflowType, row]));
    const { kept, leftOut } = leaveOutSharedTypes(declared, await readWrittenTypes(db));
    const types: { alertType: string; playbookUuid: string }[] = [];
    for (const { name: workflowType, title = workflowType, severity = null, categories = [], alertTypes } of kept) {
      const before = known.get(workflowType);
      const playbookUuid = before?.playbookUuid ?? newUuid();
      const shown = { name: title, severity, categories: [...categories], modifiedAt: now() };
      const isChanged = before?.name !== title || before.severity !== severity || before.categories.join() !== categories.join();
      if (!before)
        await insertPlaybook(db, { playbookUuid, organizationUuid: null, origin: 'written', workflowType, ...shown, createdAt: now() });
      else if (isChanged) await updatePlaybook(db, playbookUuid, shown);
      const distinct = new Map(alertTypes.map((alertType) => [alertTypeKey(alertType), alertType])).values();
      types.push(...[...distinct].map((alertType) => ({ alertType, playbookUuid })));
    }
    await replaceWrittenTypes(db, types);
    return leftOut;
  });
}
