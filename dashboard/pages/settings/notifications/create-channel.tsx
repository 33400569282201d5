import { Select, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { ChannelForm, ChannelWithSecret } from '../../../../services/notifications/wire.js';
import { api, toBody, unwrap } from '../../../api.js';
import { Dialog } from '../../../components/dialog.js';
import { field } from '../../../components/fields-modal.js';
import { useOrganizations } from '../../../components/lists.js';
import { type DraftGroup, fill } from '../../../components/schema.js';
import { FormButtons, readFieldErrors, SchemaFields } from '../../../components/schema-form.js';
import { ErrorState } from '../../../components/states.js';

/** Creates a channel. The fields are those of its kind. */
export function CreateChannel(props: {
  kinds: readonly ChannelForm[];
  onSaved: (channel: ChannelWithSecret) => unknown;
  onClose: () => void;
}) {
  const { kinds, onSaved, onClose } = props;
  const organizations = useOrganizations();
  const codes = (organizations.items ?? []).map(({ organization_code: code }) => code);
  const fields = [
    field('organization_code', 'Organization', { schema: { enum: codes } }),
    field('name', 'Name', { help: 'For example the name of the team.' }),
  ];
  const [kind, setKind] = useState(kinds[0]?.kind ?? '');
  const [common, setCommon] = useState<DraftGroup>({});
  const [settings, setSettings] = useState<DraftGroup>({});
  const [secrets, setSecrets] = useState<DraftGroup>({});
  const [invalid, setInvalid] = useState<ReadonlyMap<string, string>>(new Map());
  const chosen = kinds.find((each) => each.kind === kind);
  const save = useMutation({
    mutationFn: (body: Record<string, unknown>) => unwrap(api.POST('/notification-channels', { body: toBody(body) })),
    onSuccess: onSaved,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const filled = {
      common: fill(fields, common),
      settings: fill(chosen?.settings ?? [], settings, '#/settings'),
      secrets: fill(chosen?.secrets ?? [], secrets, '#/secrets'),
    };
    const wrong = new Map(Object.values(filled).flatMap(({ errors }) => [...errors]));
    setInvalid(wrong);
    if (wrong.size === 0) save.mutate({ ...filled.common.value, kind, settings: filled.settings.value, secrets: filled.secrets.value });
  };
  const errors = invalid.size > 0 ? invalid : readFieldErrors(save.error);
  return (
    <Dialog onClose={onClose} title="Create channel">
      <form onSubmit={submit} noValidate>
        <Stack>
          <Select
            label="Kind"
            data={kinds.map(({ kind: value, title: label }) => ({ value, label }))}
            value={kind}
            onChange={(value) => setKind(value ?? '')}
            allowDeselect={false}
          />
          <SchemaFields fields={fields} draft={common} onChange={setCommon} pointer="#" errors={errors} />
          <SchemaFields fields={chosen?.settings ?? []} draft={settings} onChange={setSettings} pointer="#/settings" errors={errors} />
          <SchemaFields fields={chosen?.secrets ?? []} draft={secrets} onChange={setSecrets} pointer="#/secrets" errors={errors} />
          {save.error && invalid.size === 0 && <ErrorState error={save.error} />}
          <FormButtons action="Create" isBusy={save.isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}
