import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Change, FormValue } from '../queries/kit.js';
import { Dialog } from './dialog.js';
import { createDraft, type Field } from './schema.js';
import { SchemaForm } from './schema-form.js';

/** A required text field, unless `more` says otherwise. */
export function field(name: string, label: string, more: Partial<Field> = {}): Field {
  return { name, label, help: '', secret: false, required: true, schema: { type: 'string' }, ...more };
}

/** A text of several lines, which the timeline or the audit log shows. */
export const REASON = field('reason', 'Reason', { schema: { type: 'string', maxLength: 4_000 } });

/** A dialog with a form. It stays open until the API accepts the change. */
export function FieldsModal<Reply>(props: {
  title: string;
  action: string;
  color?: string;
  size?: string;
  fields: readonly Field[];
  /** The values that the form shows at first. */
  initial?: FormValue;
  change: Change<FormValue, Reply>;
  onDone?: (reply: Reply) => unknown;
  /** The caller shows the reply instead of the form. */
  staysOpen?: boolean;
  onClose: () => unknown;
  children?: ReactNode;
}) {
  const { title, size, fields, initial, change, onDone, staysOpen = false, onClose, ...form } = props;
  const save = useMutation({
    ...change,
    onSuccess(reply) {
      if (!staysOpen) onClose();
      return onDone?.(reply);
    },
  });
  return (
    <Dialog onClose={onClose} title={title} {...(size === undefined ? {} : { size })}>
      <SchemaForm
        {...form}
        fields={fields}
        initial={createDraft(fields, initial ?? {})}
        isBusy={save.isPending}
        error={save.error}
        onSubmit={save.mutate}
        onCancel={onClose}
      />
    </Dialog>
  );
}
