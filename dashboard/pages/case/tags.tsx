import { TagsInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { CaseDetail } from '../../../domain/case/case.js';
import { updateCase } from '../../queries/cases.js';

/** The tags of a case. Each change is stored at once. */
export function CaseTags({ found }: { found: CaseDetail }) {
  const save = useMutation(updateCase(found.case_id));
  return (
    <TagsInput
      size="xs"
      label="Tags"
      placeholder="Add a tag"
      value={(save.isPending ? save.variables.tags : undefined) ?? found.tags}
      onChange={(tags) => save.mutate({ tags })}
      error={save.error?.message}
      maxTags={20}
      readOnly={found.merged_into !== null}
    />
  );
}
