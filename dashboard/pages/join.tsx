import { PasswordInput, Text, TextInput } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiProblem, api, unwrap } from '../api.js';
import { EntryForm } from '../components/entry-form.js';
import { useEnter } from '../session.js';

/** The page of a set-up link or an invitation. The token is the fragment of the address, which browsers send to no server. */
export function JoinPage() {
  useDocumentTitle('Join · Alert investigator');
  const [token] = useState(() => window.location.hash.slice(1));
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const enter = useEnter(undefined);
  const join = useMutation({
    mutationFn: () => {
      const given = { token, name: name.trim(), password };
      return unwrap(api.POST('/session/join', { body: email.trim() === '' ? given : { ...given, email: email.trim() } }));
    },
    onSuccess: enter,
  });
  const wrong = (field: string) => (join.error instanceof ApiProblem ? join.error.fields.get(`#/${field}`) : undefined);
  return (
    <EntryForm
      title="Create your account"
      action="Create account"
      isBusy={join.isPending}
      error={join.error}
      onSubmit={() => join.mutate()}
    >
      {token === '' && (
        <Text size="sm" role="status">
          This address is not complete. Open the whole link from the terminal or the invitation.
        </Text>
      )}
      <TextInput
        label="Name"
        description="Decisions and the audit log show it."
        autoComplete="name"
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        error={wrong('name')}
        autoFocus
        required
      />
      <TextInput
        label="E-mail address"
        description="Only for the set-up link. An invitation has an address already."
        type="email"
        autoComplete="username"
        value={email}
        onChange={({ currentTarget }) => setEmail(currentTarget.value)}
        error={wrong('email')}
      />
      <PasswordInput
        label="Password"
        description="At least 12 characters."
        autoComplete="new-password"
        value={password}
        onChange={({ currentTarget }) => setPassword(currentTarget.value)}
        error={wrong('password')}
        required
      />
    </EntryForm>
  );
}
