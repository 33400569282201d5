import { Button, Group, Select, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { CaseChange } from '../../../services/cases/wire.js';
import { Dialog } from '../../components/dialog.js';
import { ReasonField } from '../../components/reason-field.js';

export type BulkAction = 'assign' | 'tag' | 'merge' | 'investigate';

const TITLES: Readonly<Record<BulkAction, string>> = {
  assign: 'Assign cases',
  tag: 'Add tags',
  merge: 'Merge cases',
  investigate: 'Investigate again',
};

const BUTTONS: Readonly<Record<BulkAction, string>> = { assign: 'Assign', tag: 'Add tags', merge: 'Merge', investigate: 'Investigate' };

export function BulkDialog(props: {
  action: BulkAction;
  caseIds: readonly string[];
  onStart: (title: string, changes: readonly CaseChange[]) => void;
  onClose: () => void;
}) {
  const { action, caseIds, onStart, onClose } = props;
  const [assignee, setAssignee] = useState('');
  const [tags, setTags] = useState<string[]>([]);
  const [into, setInto] = useState(caseIds[0] ?? '');
  const [reason, setReason] = useState('');
  const count = caseIds.length === 1 ? '1 case' : `${caseIds.length} cases`;
  const isReady = action === 'tag' ? tags.length > 0 : action !== 'merge' || (reason.trim() !== '' && caseIds.length > 1);
  const toChange = (case_id: string): CaseChange => {
    if (action === 'assign') return { case_id, update: { assignee: assignee.trim() || null } };
    if (action === 'tag') return { case_id, update: { add_tags: tags } };
    if (action === 'merge') return { case_id, merge: { into, reason } };
    return { case_id, investigate: true };
  };
  const start = () => onStart(TITLES[action], caseIds.filter((caseId) => action !== 'merge' || caseId !== into).map(toChange));
  return (
    <Dialog onClose={onClose} title={`${TITLES[action]} (${count})`}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) start();
        }}
      >
        <Stack>
          {action === 'assign' && (
            <TextInput
              label="Assignee"
              description="Leave blank to unassign."
              value={assignee}
              onChange={({ currentTarget }) => setAssignee(currentTarget.value)}
              data-autofocus
            />
          )}
          {action === 'tag' && (
            <TagsInput
              label="Tags"
              description="Press Enter or comma to add. The cases keep their other tags."
              value={tags}
              onChange={setTags}
              maxTags={20}
              clearable
              clearButtonProps={{ 'aria-label': 'Clear tags' }}
              acceptValueOnBlur
              data-autofocus
            />
          )}
          {action === 'merge' && (
            <>
              <Select
                label="Into case"
                description="This case takes the alerts of the others and shows the worst verdict."
                data={[...caseIds]}
                value={into}
                onChange={(chosen) => setInto(chosen ?? into)}
                allowDeselect={false}
              />
              <ReasonField value={reason} onChange={setReason} required />
            </>
          )}
          {action === 'investigate' && (
            <Text size="sm">
              The service asks all questions about the alerts of {count} again. You cannot undo this. Earlier results stay in the cases.
            </Text>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" disabled={!isReady}>
              {BUTTONS[action]}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
