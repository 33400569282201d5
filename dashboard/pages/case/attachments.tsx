import { ActionIcon, Anchor, Button, Code, FileButton, Group, Skeleton, Stack, Table, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { MAX_ATTACHMENT_BYTES } from '../../../domain/case/limits.js';
import type { Attachment } from '../../../services/attachments/wire.js';
import { ApiProblem, api, buildUrl, unwrap, uploadFile } from '../../api.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { EmptyState, ErrorState } from '../../components/states.js';
import { Time } from '../../components/time.js';

export function useAttachments(caseId: string) {
  return useQuery({
    queryKey: ['cases', 'attachments', caseId],
    queryFn: () => unwrap(api.GET('/cases/{case_id}/attachments', { params: { path: { case_id: caseId } } })),
  });
}

/** Files of the case. The browser saves them and never shows them, because they can be malware. */
export function Attachments({ caseId }: { caseId: string }) {
  const { data, error, refetch } = useAttachments(caseId);
  const [removing, setRemoving] = useState<Attachment | null>(null);
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['cases'] });
  const upload = useMutation({
    mutationFn: async (file: File) => {
      if (file.size > MAX_ATTACHMENT_BYTES)
        throw new ApiProblem(413, { detail: `${file.name} is larger than 10 MiB. Choose a smaller file.` });
      return uploadFile(buildUrl('/cases/{case_id}/attachments', { path: { case_id: caseId }, query: { name: file.name } }), file);
    },
    onSettled: refresh,
  });
  if (error) return <ErrorState error={error} retry={refetch} />;
  if (!data) return <Skeleton height={80} role="status" aria-label="Loading" />;
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Text size="sm">At most 10 MiB for a file. Files can be dangerous: open them only in a safe environment.</Text>
        <FileButton onChange={(file) => file && upload.mutate(file)} inputProps={{ 'aria-label': 'File to add' }}>
          {(props) => (
            <Button size="xs" variant="default" loading={upload.isPending} {...props}>
              Add file
            </Button>
          )}
        </FileButton>
      </Group>
      {upload.error && <ErrorState error={upload.error} />}
      {data.items.length === 0 ? (
        <EmptyState title="No files yet" />
      ) : (
        <FileTable caseId={caseId} files={data.items} onRemove={setRemoving} />
      )}
      {removing !== null && (
        <ConfirmDialog
          opened
          title="Delete file"
          action="Delete"
          onClose={() => setRemoving(null)}
          onConfirm={async () => {
            const params = { path: { case_id: caseId, attachment_id: removing.attachment_id } };
            await unwrap(api.DELETE('/cases/{case_id}/attachments/{attachment_id}', { params }));
            await refresh();
          }}
        >
          <Text size="sm" className="breakable">
            Deletes {removing.name}. The timeline keeps its name and SHA-256.
          </Text>
        </ConfirmDialog>
      )}
    </Stack>
  );
}

function FileTable(props: { caseId: string; files: readonly Attachment[]; onRemove: (file: Attachment) => void }) {
  const { caseId, files, onRemove } = props;
  return (
    <Table.ScrollContainer minWidth={520}>
      <Table fz="sm" aria-label="Files">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th>Size</Table.Th>
            <Table.Th>SHA-256</Table.Th>
            <Table.Th>Added</Table.Th>
            <Table.Th>Delete</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {files.map((file) => (
            <Table.Tr key={file.attachment_id}>
              <Table.Td>
                <Anchor
                  size="sm"
                  className="breakable"
                  href={buildUrl('/cases/{case_id}/attachments/{attachment_id}', {
                    path: { case_id: caseId, attachment_id: file.attachment_id },
                  })}
                  download={file.name}
                >
                  {file.name}
                </Anchor>
              </Table.Td>
              <Table.Td style={{ whiteSpace: 'nowrap' }}>{formatSize(file.size)}</Table.Td>
              <Table.Td>
                <Code className="breakable">{file.sha256}</Code>
              </Table.Td>
              <Table.Td>
                <span className="breakable">{file.added_by}</span>, <Time at={file.added_at} />
              </Table.Td>
              <Table.Td>
                <ActionIcon variant="subtle" color="gray" onClick={() => onRemove(file)} aria-label={`Delete file: ${file.name}`}>
                  <IconTrash size={16} aria-hidden />
                </ActionIcon>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function formatSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}
