import { Text } from '@mantine/core';
import type { CaseChange } from '../../../services/cases/wire.js';
import { FieldsModal, field, REASON } from '../../components/fields-modal.js';
import type { Field } from '../../components/schema.js';
import { change, type FormValue } from '../../queries/kit.js';

export type BulkAction = 'assign' | 'tag' | 'merge' | 'investigate';

interface Form {
  readonly title: string;
  readonly button: string;
  readonly fields: readonly Field[];
  readonly toChange: (caseId: string, given: FormValue) => CaseChange;
}

function createForm(action: BulkAction, caseIds: readonly string[]): Form {
  switch (action) {
    case 'assign':
      return {
        title: 'Assign cases',
        button: 'Assign',
        fields: [field('assignee', 'Assignee', { help: 'Leave blank to unassign.', required: false })],
        toChange: (case_id, { assignee }) => ({ case_id, update: { assignee: typeof assignee === 'string' ? assignee.trim() : null } }),
      };
    case 'tag':
      return {
        title: 'Add tags',
        button: 'Add tags',
        fields: [
          field('tags', 'Tags', {
            help: 'The cases keep their other tags.',
            schema: { type: 'array', maxItems: 20, items: { type: 'string' } },
          }),
        ],
        toChange: (case_id, { tags }) => ({ case_id, update: { add_tags: Array.isArray(tags) ? tags.map(String) : [] } }),
      };
    case 'merge':
      return {
        title: 'Merge cases',
        button: 'Merge',
        fields: [
          field('into', 'Into case', {
            help: "This case takes the others' alerts and shows the worst verdict.",
            schema: { enum: caseIds },
          }),
          REASON,
        ],
        toChange: (case_id, { into, reason }) => ({ case_id, merge: { into: String(into), reason: String(reason) } }),
      };
    case 'investigate':
      return { title: 'Investigate again', button: 'Investigate', fields: [], toChange: (case_id) => ({ case_id, investigate: true }) };
  }
}

export function BulkDialog(props: {
  action: BulkAction;
  caseIds: readonly string[];
  onStart: (title: string, changes: readonly CaseChange[]) => void;
  onClose: () => void;
}) {
  const { action, caseIds, onStart, onClose } = props;
  const { title, button, fields, toChange } = createForm(action, caseIds);
  const count = caseIds.length === 1 ? '1 case' : `${caseIds.length} cases`;
  return (
    <FieldsModal
      title={`${title} (${count})`}
      action={button}
      fields={fields}
      initial={{ into: caseIds[0] }}
      // The list shows the progress of the requests.
      change={change([], async (given: FormValue) =>
        onStart(
          title,
          caseIds.filter((caseId) => caseId !== given['into']).map((caseId) => toChange(caseId, given)),
        ),
      )}
      onClose={onClose}
    >
      {action === 'investigate' && (
        <Text size="sm">
          The service asks all questions about the alerts of {count} again. You cannot undo this. Earlier results stay in the cases.
        </Text>
      )}
    </FieldsModal>
  );
}
