import { Button, Group, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { CreateAlert } from '../../domain/alert/alert.js';
import { ApiProblem, api, unwrap } from '../api.js';
import { Dialog } from '../components/dialog.js';
import { organizationsQuery, providersQuery } from '../components/filters.js';
import { ErrorState } from '../components/states.js';

const EXAMPLE = {
  alert_type: 'Reported phishing',
  alert_content: 'Subject: Final notice. Verify your account at http://203.0.113.7/login within 24 hours.',
};

export function SendAlert({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const organizations = useQuery({ ...organizationsQuery, enabled: opened });
  const providers = useQuery({ ...providersQuery, enabled: opened });
  const form = useForm({ initialValues: { organization_code: '', alert_provider: 'custom', ...EXAMPLE } });
  const send = useMutation({
    mutationFn: (alert: Omit<CreateAlert, 'created_at_source'>) => unwrap(api.POST('/alerts', { body: alert })),
    async onSuccess({ alert_id: alertId }) {
      onClose();
      notifications.show({ message: `Created ${alertId}.`, color: 'teal' });
      await queryClient.invalidateQueries({ queryKey: ['alerts'] });
      await navigate({ to: '/alerts/$alertId', params: { alertId } });
    },
    onError(error) {
      if (!(error instanceof ApiProblem)) return;
      for (const [pointer, detail] of error.fields) form.setFieldError(pointer.replace('#/', ''), detail);
    },
  });
  const codes = (organizations.data?.items ?? []).map(({ organization_code: code }) => code);
  const organization = form.values.organization_code || (codes[0] ?? '');
  return (
    <Dialog opened={opened} onClose={onClose} title="Send test alert" size="lg">
      <form onSubmit={form.onSubmit((alert) => send.mutate({ ...alert, organization_code: organization }))}>
        <Stack>
          <Group grow align="flex-start">
            <Select
              label="Organization"
              data={codes}
              allowDeselect={false}
              {...form.getInputProps('organization_code')}
              value={organization}
            />
            <Select
              label="Provider"
              data={(providers.data?.items ?? []).map(({ name }) => name)}
              searchable
              allowDeselect={false}
              {...form.getInputProps('alert_provider')}
            />
          </Group>
          <TextInput
            label="Alert name"
            description="The alert type. It selects the investigator."
            required
            {...form.getInputProps('alert_type')}
          />
          <Textarea label="Content" autosize minRows={6} maxRows={16} required {...form.getInputProps('alert_content')} />
          {send.error && <ErrorState error={send.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={send.isPending}>
              Send
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
