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
import { type FormEvent, type ReactNode, useState } from 'react';
import { ApiProblem } from '../api.js';
import { chooseInput, type Draft, type DraftGroup, type Field, type Filled, fill, isGroup, readExample } from './schema.js';
import { ErrorState } from './states.js';

interface FieldsProps {
  readonly fields: readonly Field[];
  readonly draft: DraftGroup;
  readonly onChange: (draft: DraftGroup) => void;
  /** Where in the request these fields are: `#/credentials`. */
  readonly pointer: string;
  /** What is wrong, by pointer. */
  readonly wrong: ReadonlyMap<string, string>;
}

/** Inputs made from a definition: of a connection's fields, of a skill's input. */
export function SchemaFields({ fields, draft, onChange, pointer, wrong }: FieldsProps) {
  return (
    <Stack gap="sm">
      {fields.map((field) => (
        <SchemaField
          key={field.name}
          field={field}
          draft={draft[field.name]}
          onChange={(changed) => onChange({ ...draft, [field.name]: changed })}
          pointer={`${pointer}/${field.name}`}
          wrong={wrong}
        />
      ))}
    </Stack>
  );
}

interface FieldProps {
  readonly field: Field;
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
  readonly pointer: string;
  readonly wrong: ReadonlyMap<string, string>;
}

function SchemaField({ field, draft, onChange, pointer, wrong }: FieldProps) {
  const input = chooseInput(field.schema);
  const common = {
    label: field.label,
    description: field.help || null,
    required: field.required,
    error: errorAt(pointer, wrong),
    name: pointer.replace('#/', ''),
  };
  const text = typeof draft === 'string' ? draft : '';
  const texts = Array.isArray(draft) ? [...draft] : [];
  const placeholder = choosePlaceholder(field);
  switch (input.kind) {
    case 'group':
      return <GroupField field={field} fields={input.fields} draft={draft} onChange={onChange} pointer={pointer} wrong={wrong} />;
    case 'choice':
      return (
        <Select
          {...common}
          data={[...input.options]}
          value={text || null}
          onChange={(value) => onChange(value ?? undefined)}
          clearable={!field.required}
          placeholder={placeholder}
          searchable={input.options.length > 8}
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
      return <TagsInput {...common} value={texts} onChange={onChange} placeholder="Enter or a comma ends each" />;
    case 'number':
      return (
        <NumberInput
          {...common}
          value={text}
          onChange={(value) => onChange(String(value))}
          allowDecimal={!input.isWhole}
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
          placeholder={JSON.stringify(readExample(field.schema), null, 1)}
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
      const typed = { ...common, value: text, placeholder, autoComplete: 'off', spellCheck: false };
      if (field.secret)
        return <PasswordInput {...typed} autoComplete="new-password" onChange={({ currentTarget }) => onChange(currentTarget.value)} />;
      if (input.isLong)
        return <Textarea {...typed} autosize minRows={2} maxRows={12} onChange={({ currentTarget }) => onChange(currentTarget.value)} />;
      return <TextInput {...typed} onChange={({ currentTarget }) => onChange(currentTarget.value)} />;
    }
  }
}

/** Fields that belong together; what is not needed can be left out whole. */
function GroupField({ field, fields, draft, onChange, pointer, wrong }: FieldProps & { fields: readonly Field[] }) {
  const given = isGroup(draft) ? draft : null;
  return (
    <Fieldset legend={field.label}>
      <Stack gap="sm">
        {field.help !== '' && <Text size="xs">{field.help}</Text>}
        {!field.required && (
          <Switch
            label={`Enter ${field.label}`}
            checked={given !== null}
            onChange={({ currentTarget }) => onChange(currentTarget.checked ? {} : undefined)}
            error={wrong.get(pointer)}
          />
        )}
        {(given !== null || field.required) && (
          <SchemaFields fields={fields} draft={given ?? {}} onChange={onChange} pointer={pointer} wrong={wrong} />
        )}
      </Stack>
    </Fieldset>
  );
}

/** What is wrong with a field, or with one item of its list. */
function errorAt(pointer: string, wrong: ReadonlyMap<string, string>): string | null {
  for (const [where, what] of wrong) if (where === pointer || where.startsWith(`${pointer}/`)) return what;
  return null;
}

function choosePlaceholder({ schema }: Field): string {
  const unlessTold = schema['default'];
  return unlessTold === undefined ? '' : `${typeof unlessTold === 'string' ? unlessTold : JSON.stringify(unlessTold)}, unless told`;
}

/** The fields that the API found wrong; what it says of no field is shown whole. */
export function fieldsWrong(error: unknown): ReadonlyMap<string, string> {
  return error instanceof ApiProblem ? error.fields : new Map();
}

/** Buttons and errors round fields; what cannot be sent yet is said at its field. */
export function SchemaForm(props: {
  fields: readonly Field[];
  initial?: DraftGroup;
  pointer?: string;
  action: string;
  color?: string;
  isBusy: boolean;
  error: unknown;
  onSubmit: (value: Filled['value']) => void;
  onCancel?: () => void;
  children?: ReactNode;
}) {
  const { fields, pointer = '#', error } = props;
  const [draft, setDraft] = useState<DraftGroup>(props.initial ?? {});
  const [wrong, setWrong] = useState<ReadonlyMap<string, string>>(new Map());
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const filled = fill(fields, draft, pointer);
    setWrong(filled.wrong);
    if (filled.wrong.size === 0) props.onSubmit(filled.value);
  };
  const refused = fieldsWrong(error);
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {props.children}
        <SchemaFields fields={fields} draft={draft} onChange={setDraft} pointer={pointer} wrong={wrong.size > 0 ? wrong : refused} />
        {error != null && wrong.size === 0 && <ErrorState error={error} />}
        <FormButtons action={props.action} isBusy={props.isBusy} color={props.color} onCancel={props.onCancel} />
      </Stack>
    </form>
  );
}

export function FormButtons(props: { action: string; isBusy: boolean; color?: string | undefined; onCancel?: (() => void) | undefined }) {
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
