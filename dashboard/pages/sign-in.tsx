import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api, unwrap } from '../api.js';
import { EntryForm } from '../components/entry-form.js';
import { useEnter } from '../session.js';

type Method = 'password' | 'key';

export function SignInPage() {
  useDocumentTitle('Sign in · Alert investigator');
  const [method, setMethod] = useState<Method>('password');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [key, setKey] = useState('');
  const { to } = useSearch({ from: '/sign-in' });
  const enter = useEnter(to);
  const signIn = useMutation({
    mutationFn: () =>
      method === 'key'
        ? unwrap(api.POST('/session', { body: { api_key: key.trim() } }))
        : unwrap(api.POST('/session/password', { body: { email: email.trim(), password } })),
    onSuccess: enter,
  });
  const change = (next: Method) => {
    signIn.reset();
    setMethod(next);
  };
  return (
    <EntryForm
      title="Alert investigator"
      action="Sign in"
      isBusy={signIn.isPending}
      error={signIn.error}
      onSubmit={() => signIn.mutate()}
      after={
        <Button variant="subtle" size="compact-sm" onClick={() => change(method === 'key' ? 'password' : 'key')}>
          {method === 'key' ? 'Use e-mail and password' : 'Use a key'}
        </Button>
      }
    >
      {method === 'key' ? (
        <PasswordInput
          label="API key"
          description="The service shows the admin key once, when it starts for the first time. Admins create further keys under Settings."
          autoComplete="off"
          value={key}
          onChange={({ currentTarget }) => setKey(currentTarget.value)}
          autoFocus
          required
        />
      ) : (
        <>
          <TextInput
            label="E-mail address"
            type="email"
            autoComplete="username"
            value={email}
            onChange={({ currentTarget }) => setEmail(currentTarget.value)}
            autoFocus
            required
          />
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            value={password}
            onChange={({ currentTarget }) => setPassword(currentTarget.value)}
            required
          />
        </>
      )}
    </EntryForm>
  );
}
