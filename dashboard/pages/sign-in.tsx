import { Alert, Button, PasswordInput, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDocumentTitle } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiProblem, buildUrl } from '../api.js';
import { EntryForm } from '../components/entry-form.js';
import { signIn, signInOptionsQuery } from '../queries/account.js';
import { useEnter } from '../session.js';

type Method = 'password' | 'key';

/** Why the sign-in with the identity provider failed. */
const FAILURES: Readonly<Record<string, string>> = {
  unavailable: 'The identity provider does not respond. Try again later, or use a local account.',
  refused: 'The identity provider refused the sign-in, or its reply is not valid. Try again.',
  expired: 'The sign-in took too long, or began in another browser. Try again.',
  'too-many': 'Too many sign-ins began from your address. Wait a minute, then try again.',
  'no-role': 'Your account has no role here. Ask an admin to map one of your groups to a role.',
  deactivated: 'An admin deactivated your account.',
};

export function SignInPage() {
  useDocumentTitle('Sign in · Alert investigator');
  const [chosen, setMethod] = useState<Method>('password');
  const [asksForCode, setAsksForCode] = useState(false);
  const { values, getInputProps, onSubmit } = useForm({ initialValues: { email: '', password: '', code: '', api_key: '' } });
  const { to, failure } = useSearch({ from: '/sign-in' });
  const { provider: hasProvider, password: hasPasswords } = useQuery(signInOptionsQuery).data ?? { provider: false, password: true };
  const method = hasPasswords ? chosen : 'key';
  const explained = failure === undefined ? undefined : FAILURES[failure];
  const enter = useEnter(to);
  const enterWith = useMutation({
    ...signIn,
    onSuccess: enter,
    onError: (error) => {
      if (error instanceof ApiProblem && error.fields.has('#/code')) setAsksForCode(true);
    },
  });
  const submit = ({ email, password, code, api_key }: typeof values) =>
    enterWith.mutate(
      method === 'key'
        ? { api_key: api_key.trim() }
        : { email: email.trim(), password, ...(code.trim() === '' ? {} : { code: code.trim() }) },
    );
  const change = (next: Method) => {
    enterWith.reset();
    setMethod(next);
  };
  return (
    <EntryForm
      title="Alert investigator"
      action="Sign in"
      isBusy={enterWith.isPending}
      error={enterWith.error}
      onSubmit={onSubmit(submit)}
      after={
        hasPasswords && (
          <Button variant="subtle" size="compact-sm" onClick={() => change(method === 'key' ? 'password' : 'key')}>
            {method === 'key' ? 'Use email and password' : 'Use a key'}
          </Button>
        )
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
          {...getInputProps('api_key')}
          autoFocus
          required
        />
      ) : (
        <>
          <TextInput label="Email address" type="email" autoComplete="username" {...getInputProps('email')} autoFocus required />
          <PasswordInput label="Password" autoComplete="current-password" {...getInputProps('password')} required />
          {asksForCode && (
            <TextInput
              label="Code"
              description="Six digits from your authenticator app."
              autoComplete="one-time-code"
              inputMode="numeric"
              {...getInputProps('code')}
              autoFocus
              required
            />
          )}
        </>
      )}
    </EntryForm>
  );
}
