import {
  Button,
  Fieldset,
  Group,
  JsonInput,
  MultiSelect,
  NumberInput,
  PasswordInput,
  Select,
  Stack,
  Switch,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import { ApiProblem } from '../api.js';
import { chooseInput, createExample, type Draft, type DraftGroup, type Field, type Filled, fill, isGroup } from './schema.js';
import { ErrorState } from './states.js';

interface FieldsProps {
  readonly fields: readonly Field[];
  readonly draft: DraftGroup;
  readonly onChange: (draft: DraftGroup) => void;
  /** JSON pointer of the object that holds these fields: `#/credentials`. */
  readonly pointer: string;
  /** Messages by pointer. */
  readonly errors: ReadonlyMap<string, string>;
}

/** Inputs for the fields of a JSON Schema. */
export function SchemaFields({ fields, draft, onChange, pointer, errors }: FieldsProps) {
  return (
    <Stack gap="sm">
      {fields.map((field, index) => (
        <SchemaField
          key={field.name}
          field={field}
          isFirst={index === 0}
          draft={draft[field.name]}
          onChange={(changed) => onChange({ ...draft, [field.name]: changed })}
          pointer={`${pointer}/${field.name}`}
          errors={errors}
        />
      ))}
    </Stack>
  );
}

interface FieldProps {
  readonly field: Field;
  /** A dialog focuses it if it is a text. */
  readonly isFirst: boolean;
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
  readonly pointer: string;
  readonly errors: ReadonlyMap<string, string>;
}

function SchemaField({ field, isFirst, draft, onChange, pointer, errors }: FieldProps) {
  const input = chooseInput(field.schema);
  const common = {
    label: field.label,
    description: field.help || null,
    required: field.required,
    error: findError(pointer, errors),
    name: pointer.replace('#/', ''),
  };
  const text = typeof draft === 'string' ? draft : '';
  const texts = Array.isArray(draft) ? [...draft] : [];
  const placeholder = describeDefault(field);
  switch (input.kind) {
    case 'group':
      return <GroupField field={field} fields={input.fields} draft={draft} onChange={onChange} pointer={pointer} errors={errors} />;
    case 'choice':
      return (
        <Select
          {...common}
          data={[...input.options]}
          value={text || null}
          onChange={(value) => onChange(value ?? undefined)}
          clearable={!field.required}
          clearButtonProps={{ 'aria-label': `Clear ${field.label.toLowerCase()}` }}
          placeholder={placeholder}
          searchable={input.options.length > 8 || field.schema['format'] === 'person'}
          nothingFoundMessage="No results"
        />
      );
    case 'boolean':
      return (
        <Select
          {...common}
          data={[
            { value: 'true', label: 'Yes' },
            { value: 'false', label: 'No' },
          ]}
          value={text || null}
          onChange={(value) => onChange(value ?? undefined)}
          clearable={!field.required}
          placeholder={placeholder}
        />
      );
    case 'choices':
      return <MultiSelect {...common} data={[...input.options]} value={texts} onChange={onChange} clearable placeholder={placeholder} />;
    case 'list':
      return <TagsInput {...common} value={texts} onChange={onChange} placeholder="Press Enter or comma to add" />;
    case 'number':
      return (
        <NumberInput
          {...common}
          value={text}
          onChange={(value) => onChange(String(value))}
          allowDecimal={!input.isInteger}
          placeholder={placeholder}
        />
      );
    case 'json':
      return (
        <JsonInput
          {...common}
          value={text}
          onChange={onChange}
          autosize
          minRows={4}
          maxRows={16}
          placeholder={JSON.stringify(createExample(field.schema), null, 1)}
          formatOnBlur
        />
      );
    case 'date':
    case 'time':
      return (
        <TextInput
          {...common}
          type={input.kind === 'date' ? 'date' : 'datetime-local'}
          value={text}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      );
    case 'text': {
      const focused = isFirst ? { 'data-autofocus': true } : {};
      const typed = { ...common, ...focused, value: text, placeholder, autoComplete: 'off', spellCheck: false };
      if (field.secret)
        return <PasswordInput {...typed} autoComplete="new-password" onChange={({ currentTarget }) => onChange(currentTarget.value)} />;
      if (input.isLong)
        return <Textarea {...typed} autosize minRows={2} maxRows={12} onChange={({ currentTarget }) => onChange(currentTarget.value)} />;
      return <TextInput {...typed} onChange={({ currentTarget }) => onChange(currentTarget.value)} />;
    }
  }
}

/** A nested object; the switch leaves out an optional one. */
function GroupField({ field, fields, draft, onChange, pointer, errors }: Omit<FieldProps, 'isFirst'> & { fields: readonly Field[] }) {
  const given = isGroup(draft) ? draft : null;
  return (
    <Fieldset legend={field.label}>
      <Stack gap="sm">
        {field.help !== '' && <Text size="xs">{field.help}</Text>}
        {!field.required && (
          <Switch
            label={`Add ${field.label}`}
            checked={given !== null}
            onChange={({ currentTarget }) => onChange(currentTarget.checked ? {} : undefined)}
            error={errors.get(pointer)}
          />
        )}
        {(given !== null || field.required) && (
          <SchemaFields fields={fields} draft={given ?? {}} onChange={onChange} pointer={pointer} errors={errors} />
        )}
      </Stack>
    </Fieldset>
  );
}

/** The error of a field, or of one item of its list. */
function findError(pointer: string, errors: ReadonlyMap<string, string>): string | null {
  for (const [place, message] of errors) if (place === pointer || place.startsWith(`${pointer}/`)) return message;
  return null;
}

function describeDefault({ schema }: Field): string {
  const value = schema['default'];
  return value === undefined ? '' : `Default: ${typeof value === 'string' ? value : JSON.stringify(value)}`;
}

/** The invalid fields that the API names. */
export function readFieldErrors(error: unknown): ReadonlyMap<string, string> {
  return error instanceof ApiProblem ? error.fields : new Map();
}

/** A form that shows each error at its field, before and after the request. */
export function SchemaForm(props: {
  fields: readonly Field[];
  initial?: DraftGroup;
  pointer?: string;
  action: string;
  color?: string | undefined;
  isBusy: boolean;
  error: unknown;
  onSubmit: (value: Filled['value']) => void;
  onCancel?: () => unknown;
  children?: ReactNode;
  /** Inputs after the fields, with the errors that the API reports. */
  more?: (errors: ReadonlyMap<string, string>) => ReactNode;
}) {
  const { fields, pointer = '#', error } = props;
  const form = useForm<DraftGroup>({
    initialValues: props.initial ?? {},
    validate: (draft) => Object.fromEntries(fill(fields, draft, pointer).errors),
  });
  const invalid = new Map(Object.entries(form.errors).map(([place, message]) => [place, String(message)]));
  const refused = readFieldErrors(error);
  return (
    <form onSubmit={form.onSubmit((draft) => props.onSubmit(fill(fields, draft, pointer).value))} noValidate>
      <Stack>
        {props.children}
        <SchemaFields
          fields={fields}
          draft={form.values}
          onChange={form.setValues}
          pointer={pointer}
          errors={invalid.size > 0 ? invalid : refused}
        />
        {props.more?.(refused)}
        {error != null && invalid.size === 0 && <ErrorState error={error} />}
        <FormButtons action={props.action} isBusy={props.isBusy} color={props.color} onCancel={props.onCancel} />
      </Stack>
    </form>
  );
}

export function FormButtons(props: {
  action: string;
  isBusy: boolean;
  color?: string | undefined;
  onCancel?: (() => unknown) | undefined;
}) {
  return (
    <Group justify="flex-end">
      {props.onCancel && (
        <Button variant="default" onClick={props.onCancel}>
          Cancel
        </Button>
      )}
      <Button type="submit" loading={props.isBusy} {...(props.color === undefined ? {} : { color: props.color })}>
        {props.action}
      </Button>
    </Group>
  );
}
