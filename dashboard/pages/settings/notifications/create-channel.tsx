import { Select, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ChannelForm, ChannelWithSecret } from '../../../../services/notifications/wire.js';
import { Dialog } from '../../../components/dialog.js';
import { field } from '../../../components/fields-modal.js';
import { useOrganizationCodes } from '../../../components/lists.js';
import { type DraftGroup, fill } from '../../../components/schema.js';
import { FormButtons, readFieldErrors, SchemaFields } from '../../../components/schema-form.js';
import { ErrorState } from '../../../components/states.js';
import { createChannel } from '../../../queries/notifications.js';

interface Draft {
  kind: string;
  common: DraftGroup;
  settings: DraftGroup;
  secrets: DraftGroup;
}

/** Creates a channel. The fields are those of its kind. */
export function CreateChannel(props: {
  kinds: readonly ChannelForm[];
  onDone: (channel: ChannelWithSecret) => unknown;
  onClose: () => void;
}) {
  const { kinds, onDone, onClose } = props;
  const common = [
    field('organization_code', 'Organization', { schema: { enum: useOrganizationCodes() } }),
    field('name', 'Name', { help: 'For example the name of the team.' }),
  ];
  const form = useForm<Draft>({ initialValues: { kind: kinds[0]?.kind ?? '', common: {}, settings: {}, secrets: {} } });
  const [invalid, setInvalid] = useState<ReadonlyMap<string, string>>(new Map());
  const { settings = [], secrets = [] } = kinds.find(({ kind }) => kind === form.values.kind) ?? {};
  const save = useMutation({
    ...createChannel,
    onSuccess(channel) {
      onClose();
      return onDone(channel);
    },
  });
  const submit = (draft: Draft) => {
    const filled = {
      common: fill(common, draft.common),
      settings: fill(settings, draft.settings, '#/settings'),
      secrets: fill(secrets, draft.secrets, '#/secrets'),
    };
    const wrong = new Map(Object.values(filled).flatMap(({ errors }) => [...errors]));
    setInvalid(wrong);
    if (wrong.size > 0) return;
    save.mutate({ ...filled.common.value, kind: draft.kind, settings: filled.settings.value, secrets: filled.secrets.value });
  };
  const errors = invalid.size > 0 ? invalid : readFieldErrors(save.error);
  const parts = [
    { name: 'common', fields: common, pointer: '#' },
    { name: 'settings', fields: settings, pointer: '#/settings' },
    { name: 'secrets', fields: secrets, pointer: '#/secrets' },
  ] as const;
  return (
    <Dialog onClose={onClose} title="Create channel">
      <form onSubmit={form.onSubmit(submit)} noValidate>
        <Stack>
          <Select
            label="Kind"
            data={kinds.map(({ kind: value, title: label }) => ({ value, label }))}
            allowDeselect={false}
            {...form.getInputProps('kind')}
          />
          {parts.map(({ name, ...part }) => (
            <SchemaFields
              key={name}
              {...part}
              draft={form.values[name]}
              onChange={(draft) => form.setFieldValue(name, draft)}
              errors={errors}
            />
          ))}
          {save.error && invalid.size === 0 && <ErrorState error={save.error} />}
          <FormButtons action="Create" isBusy={save.isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}
