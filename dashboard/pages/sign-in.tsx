import { Alert, Button, Center, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { api, unwrap } from '../api.js';
import { sessionQuery } from '../session.js';

/** Only paths of this site: a link to the sign-in page must not redirect to another site. */
function toOwnPath(to: string | undefined): string {
  return to !== undefined && /^\/(?![/\\])/.test(to) ? to : '/';
}

export function SignInPage() {
  useDocumentTitle('Sign in · Alert investigator');
  const [key, setKey] = useState('');
  const { to } = useSearch({ from: '/sign-in' });
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const signIn = useMutation({
    mutationFn: () => unwrap(api.POST('/session', { body: { api_key: key.trim() } })),
    async onSuccess(session) {
      queryClient.clear();
      queryClient.setQueryData(sessionQuery.queryKey, session);
      await navigate({ href: toOwnPath(to) });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (key.trim() !== '') signIn.mutate();
  };
  return (
    <Center mih="100vh" p="md" component="main">
      <Paper withBorder p="xl" w={420} maw="100%" shadow="sm">
        <form onSubmit={submit}>
          <Stack>
            <img src="/icon.svg" alt="" width={40} height={40} />
            <Title order={1} fz="h3">
              Alert investigator
            </Title>
            <PasswordInput
              label="API key"
              description="The service shows the admin key once, when it starts for the first time. Admins create further keys under Settings."
              autoComplete="current-password"
              value={key}
              onChange={({ currentTarget }) => setKey(currentTarget.value)}
              data-autofocus
              autoFocus
              required
            />
            {signIn.error && (
              <Alert color="red" variant="light" role="alert">
                <Text size="sm">{signIn.error.message}</Text>
              </Alert>
            )}
            <Button type="submit" loading={signIn.isPending}>
              Sign in
            </Button>
          </Stack>
        </form>
      </Paper>
    </Center>
  );
}
