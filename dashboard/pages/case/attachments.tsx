import { ActionIcon, Anchor, Button, Code, FileButton, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { buildUrl, type Item } from '../../api.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { type Column, DataTable } from '../../components/data-table.js';
import { EmptyState, ErrorState } from '../../components/states.js';
import { Time } from '../../components/time.js';
import { addAttachment, attachmentsQuery, deleteAttachment } from '../../queries/cases.js';

type Attachment = Item<'/cases/{case_id}/attachments'>;

/** Files of the case. The browser saves them and never shows them, because they can be malware. */
export function Attachments({ caseId }: { caseId: string }) {
  const { data, error, refetch } = useQuery(attachmentsQuery(caseId));
  const [removing, setRemoving] = useState<Attachment | null>(null);
  const upload = useMutation(addAttachment(caseId));
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
      <DataTable
        label="Files"
        minWidth={520}
        columns={createColumns(caseId, setRemoving)}
        rows={data.items}
        getKey={({ attachment_id }) => attachment_id}
        empty={<EmptyState title="No files yet" />}
      />
      {removing !== null && (
        <ConfirmDialog
          title="Delete file"
          action="Delete"
          change={deleteAttachment(caseId)}
          input={removing.attachment_id}
          onClose={() => setRemoving(null)}
        >
          <Text size="sm" className="breakable">
            Deletes {removing.name}. The timeline keeps its name and SHA-256.
          </Text>
        </ConfirmDialog>
      )}
    </Stack>
  );
}

const createColumns = (caseId: string, onRemove: (file: Attachment) => void): Column<Attachment>[] => [
  {
    key: 'name',
    title: 'Name',
    render: ({ attachment_id, name }) => (
      <Anchor
        size="sm"
        className="breakable"
        href={buildUrl('/cases/{case_id}/attachments/{attachment_id}', { path: { case_id: caseId, attachment_id } })}
        download={name}
      >
        {name}
      </Anchor>
    ),
  },
  { key: 'size', title: 'Size', render: ({ size }) => <span style={{ whiteSpace: 'nowrap' }}>{formatSize(size)}</span> },
  { key: 'sha256', title: 'SHA-256', render: ({ sha256 }) => <Code className="breakable">{sha256}</Code> },
  {
    key: 'added',
    title: 'Added',
    render: ({ added_by: by, added_at: at }) => (
      <>
        <span className="breakable">{by}</span>, <Time at={at} />
      </>
    ),
  },
  {
    key: 'actions',
    title: 'Delete',
    render: (file) => (
      <ActionIcon variant="subtle" color="gray" onClick={() => onRemove(file)} aria-label={`Delete file: ${file.name}`}>
        <IconTrash size={16} aria-hidden />
      </ActionIcon>
    ),
  },
];

function formatSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}
