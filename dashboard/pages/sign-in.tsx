import { Alert, Button, PasswordInput, Text, TextInput } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiProblem, api, buildUrl, unwrap } from '../api.js';
import { EntryForm } from '../components/entry-form.js';
import { useEnter } from '../session.js';

type Method = 'password' | 'key';

/** Why the sign-in with the identity provider failed. */
const FAILURES: Readonly<Record<string, string>> = {
  unavailable: 'The identity provider does not respond. Try again later, or use a local account.',
  refused: 'The identity provider refused the sign-in, or its reply is not valid. Try again.',
  expired: 'The sign-in took too long, or began in another browser. Try again.',
  'no-role': 'Your account has no role here. Ask an admin to map one of your groups to a role.',
  deactivated: 'An admin deactivated your account.',
};

function useHasProvider(): boolean {
  const { data } = useQuery({ queryKey: ['sign-in options'], queryFn: () => unwrap(api.GET('/session/options')) });
  return data?.provider ?? false;
}

export function SignInPage() {
  useDocumentTitle('Sign in · Alert investigator');
  const [method, setMethod] = useState<Method>('password');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [asksForCode, setAsksForCode] = useState(false);
  const [key, setKey] = useState('');
  const { to, failure } = useSearch({ from: '/sign-in' });
  const hasProvider = useHasProvider();
  const explained = failure === undefined ? undefined : FAILURES[failure];
  const enter = useEnter(to);
  const signIn = useMutation({
    mutationFn: () =>
      method === 'key'
        ? unwrap(api.POST('/session', { body: { api_key: key.trim() } }))
        : unwrap(api.POST('/session/password', { body: { email: email.trim(), password, ...(code === '' ? {} : { code }) } })),
    onSuccess: enter,
    onError: (error) => {
      if (error instanceof ApiProblem && error.fields.has('#/code')) setAsksForCode(true);
    },
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
      {explained !== undefined && (
        <Alert color="red" variant="light" role="alert">
          <Text size="sm">{explained}</Text>
        </Alert>
      )}
      {hasProvider && (
        <Button component="a" href={buildUrl('/session/provider', { query: { to } })}>
          Continue with single sign-on
        </Button>
      )}
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
          {asksForCode && (
            <TextInput
              label="Code"
              description="Six digits from your authenticator app."
              autoComplete="one-time-code"
              inputMode="numeric"
              value={code}
              onChange={({ currentTarget }) => setCode(currentTarget.value.trim())}
              autoFocus
              required
            />
          )}
        </>
      )}
    </EntryForm>
  );
}
