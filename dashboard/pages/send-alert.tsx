import { notifications } from '@mantine/notifications';
import { useNavigate } from '@tanstack/react-router';
import { Dialog } from '../components/dialog.js';
import { FieldsModal, field } from '../components/fields-modal.js';
import { useFullList } from '../components/full-list.js';
import { ErrorState, PageSkeleton } from '../components/states.js';
import { sendAlert } from '../queries/alerts.js';
import { organizationsQuery, providersQuery } from '../queries/organizations.js';

const EXAMPLE = {
  alert_provider: 'custom',
  alert_type: 'Reported phishing',
  alert_content: 'Subject: Final notice. Verify your account at http://203.0.113.7/login within 24 hours.',
};

const TITLE = 'Send test alert';

export function SendAlert({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const organizations = useFullList(organizationsQuery);
  const providers = useFullList(providersQuery);
  const error = organizations.error ?? providers.error;
  // The form starts with the first organization.
  if (!organizations.items || !providers.items)
    return (
      <Dialog onClose={onClose} title={TITLE} size="lg">
        {error ? <ErrorState error={error} /> : <PageSkeleton />}
      </Dialog>
    );
  const codes = organizations.items.map(({ organization_code: code }) => code);
  return (
    <FieldsModal
      title={TITLE}
      size="lg"
      action="Send"
      fields={[
        field('organization_code', 'Organization', { schema: { enum: codes } }),
        field('alert_provider', 'Provider', { schema: { enum: providers.items.map(({ name }) => name) } }),
        field('alert_type', 'Alert name', { help: 'The alert type. It selects the investigator.' }),
        field('alert_content', 'Content', { schema: { type: 'string', maxLength: 1_048_576 } }),
      ]}
      initial={{ organization_code: codes[0], ...EXAMPLE }}
      change={sendAlert}
      onDone={({ alert_id: alertId }) => {
        notifications.show({ message: `Created ${alertId}.`, color: 'teal' });
        return navigate({ to: '/alerts/$alertId', params: { alertId } });
      }}
      onClose={onClose}
    />
  );
}
