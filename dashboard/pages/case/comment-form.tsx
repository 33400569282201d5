import { Button, Combobox, Group, Stack, Textarea, useCombobox } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ErrorState } from '../../components/states.js';
import { updateCase } from '../../queries/cases.js';
import { peopleQuery } from '../../queries/organization-settings.js';

const MAX_SUGGESTED = 8;
/** The beginning of a name at the cursor: an @ at the start of a word, and what follows it. */
const TYPED_MENTION = /(?:^|[^\p{L}\p{N}._-])@([^\s@][^@\n]{0,99})?$/u;

/** A Markdown comment. After an @ it suggests the people who work on the organization's cases. */
export function CommentForm({ caseId, organizationCode }: { caseId: string; organizationCode: string }) {
  const [comment, setComment] = useState('');
  const [cursor, setCursor] = useState(0);
  const field = useRef<HTMLTextAreaElement>(null);
  const { data: people = [] } = useQuery(peopleQuery(organizationCode));
  const combobox = useCombobox();
  const add = useMutation({ ...updateCase(caseId), onSuccess: () => setComment('') });
  const typed = TYPED_MENTION.exec(comment.slice(0, cursor));
  const started = typed === null ? null : (typed[1] ?? '').toLowerCase();
  const suggested = started === null ? [] : people.filter((name) => name.toLowerCase().startsWith(started)).slice(0, MAX_SUGGESTED);
  const shownNames = suggested.join('\n');
  const { selectFirstOption } = combobox;
  useEffect(() => {
    if (shownNames !== '') selectFirstOption();
  }, [shownNames, selectFirstOption]);
  const follow = () => {
    setCursor(field.current?.selectionStart ?? 0);
    combobox.openDropdown();
  };
  const mention = (name: string) => {
    const before = comment.slice(0, cursor - (started?.length ?? 0));
    setComment(`${before}${name} ${comment.slice(cursor)}`);
    setCursor(before.length + name.length + 1);
    combobox.closeDropdown();
    field.current?.focus();
  };
  return (
    <Stack gap="xs">
      <Combobox store={combobox} onOptionSubmit={mention} withinPortal>
        <Combobox.Target withAriaAttributes={suggested.length > 0} withKeyboardNavigation={suggested.length > 0}>
          <Textarea
            ref={field}
            label="Comment"
            description="Markdown. Type @ to mention a person."
            autosize
            minRows={2}
            maxRows={10}
            value={comment}
            onChange={({ currentTarget }) => {
              setComment(currentTarget.value);
              setCursor(currentTarget.selectionStart);
              combobox.openDropdown();
            }}
            onClick={follow}
            onBlur={() => combobox.closeDropdown()}
          />
        </Combobox.Target>
        <Combobox.Dropdown hidden={suggested.length === 0}>
          <Combobox.Options aria-label="People">
            {suggested.map((name) => (
              <Combobox.Option key={name} value={name}>
                {name}
              </Combobox.Option>
            ))}
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
      {add.error && <ErrorState error={add.error} />}
      <Group justify="flex-end">
        <Button size="xs" disabled={comment.trim() === ''} loading={add.isPending} onClick={() => add.mutate({ comment })}>
          Add comment
        </Button>
      </Group>
    </Stack>
  );
}
