import { TagsInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { CaseDetail } from '../../../domain/case/case.js';
import { api, unwrap } from '../../api.js';

/** The tags of a case. Each change is stored at once. */
export function CaseTags({ found }: { found: CaseDetail }) {
  const queryClient = useQueryClient();
  const save = useMutation({
    mutationFn: (tags: string[]) => unwrap(api.PATCH('/cases/{case_id}', { params: { path: { case_id: found.case_id } }, body: { tags } })),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['cases'] }),
  });
  return (
    <TagsInput
      size="xs"
      label="Tags"
      placeholder="Add a tag"
      value={save.isPending ? save.variables : found.tags}
      onChange={(tags) => save.mutate(tags)}
      error={save.error?.message}
      maxTags={20}
      readOnly={found.merged_into !== null}
    />
  );
}
