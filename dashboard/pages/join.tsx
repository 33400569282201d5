import { PasswordInput, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDocumentTitle } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiProblem } from '../api.js';
import { EntryForm } from '../components/entry-form.js';
import { join as joinService } from '../queries/account.js';
import { useEnter } from '../session.js';

/** The page of a set-up link or an invitation. The token is the fragment of the address, which browsers send to no server. */
export function JoinPage() {
  useDocumentTitle('Join · Alert investigator');
  const [token] = useState(() => window.location.hash.slice(1));
  const { values, getInputProps, onSubmit } = useForm({ initialValues: { name: '', email: '', password: '' } });
  const join = useMutation({ ...joinService, onSuccess: useEnter(undefined) });
  const submit = ({ name, email, password }: typeof values) =>
    join.mutate({ token, name: name.trim(), password, ...(email.trim() === '' ? {} : { email: email.trim() }) });
  const wrong = (field: string) => (join.error instanceof ApiProblem ? join.error.fields.get(`#/${field}`) : undefined);
  return (
    <EntryForm title="Create your account" action="Create account" isBusy={join.isPending} error={join.error} onSubmit={onSubmit(submit)}>
      {token === '' && (
        <Text size="sm" role="status">
          This address is not complete. Open the whole link from the terminal or the invitation.
        </Text>
      )}
      <TextInput
        label="Name"
        description="Decisions and the audit log show it."
        autoComplete="name"
        {...getInputProps('name')}
        error={wrong('name')}
        autoFocus
        required
      />
      <TextInput
        label="Email address"
        description="Only for the set-up link. An invitation has an address already."
        type="email"
        autoComplete="username"
        {...getInputProps('email')}
        error={wrong('email')}
      />
      <PasswordInput
        label="Password"
        description="At least 12 characters."
        autoComplete="new-password"
        {...getInputProps('password')}
        error={wrong('password')}
        required
      />
    </EntryForm>
  );
}
