import { Modal } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Field } from './schema.js';
import { SchemaForm } from './schema-form.js';

/** A plain field of a form, with what differs from the usual. */
export function field(name: string, label: string, more: Partial<Field> = {}): Field {
  return { name, label, help: '', secret: false, required: true, schema: { type: 'string' }, ...more };
}

/** A form that makes one thing; it stays open until that is made. */
export function FieldsModal<Made>(props: {
  title: string;
  action: string;
  color?: string;
  fields: readonly Field[];
  onSave: (value: Record<string, unknown>) => Promise<Made>;
  onSaved: (made: Made) => unknown;
  onClose: () => void;
  children?: ReactNode;
}) {
  const { title, action, color, fields, onSave, onSaved, onClose, children } = props;
  const save = useMutation({ mutationFn: onSave, onSuccess: onSaved });
  return (
    <Modal opened onClose={onClose} title={title}>
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
    </Modal>
  );
}
