import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Dialog } from './dialog.js';
import type { Field } from './schema.js';
import { SchemaForm } from './schema-form.js';

/** A required text field, unless `more` says otherwise. */
export function field(name: string, label: string, more: Partial<Field> = {}): Field {
  return { name, label, help: '', secret: false, required: true, schema: { type: 'string' }, ...more };
}

/** A form that creates one record; it stays open until the API accepts it. */
export function FieldsModal<Saved>(props: {
  title: string;
  action: string;
  color?: string;
  fields: readonly Field[];
  onSave: (value: Record<string, unknown>) => Promise<Saved>;
  onSaved: (saved: Saved) => unknown;
  onClose: () => void;
  children?: ReactNode;
}) {
  const { title, action, color, fields, onSave, onSaved, onClose, children } = props;
  const save = useMutation({ mutationFn: onSave, onSuccess: onSaved });
  return (
    <Dialog onClose={onClose} title={title}>
      <SchemaForm
        fields={fields}
        action={action}
        {...(color === undefined ? {} : { color })}
        isBusy={save.isPending}
        error={save.error}
        onSubmit={(value) => save.mutate(value)}
        onCancel={onClose}
      >
        {children}
      </SchemaForm>
    </Dialog>
  );
}
