import { Alert, Button, Center, Paper, Stack, Text, Title } from '@mantine/core';
import type { FormEventHandler, ReactNode } from 'react';

/** A page for people who are not signed in yet: one form. */
export function EntryForm(props: {
  title: string;
  action: string;
  isBusy: boolean;
  error: Error | null;
  onSubmit: FormEventHandler<HTMLFormElement>;
  children: ReactNode;
  after?: ReactNode;
}) {
  const { title, action, isBusy, error, onSubmit, children, after } = props;
  return (
    <Center mih="100vh" p="md" component="main">
      <Paper withBorder p="xl" w={420} maw="100%" shadow="sm">
        <form onSubmit={onSubmit}>
          <Stack>
            <img src="/icon.svg" alt="" width={40} height={40} />
            <Title order={1} fz="h3">
              {title}
            </Title>
            {children}
            {error && (
              <Alert color="red" variant="light" role="alert">
                <Text size="sm">{error.message}</Text>
              </Alert>
            )}
            <Button type="submit" loading={isBusy}>
              {action}
            </Button>
            {after}
          </Stack>
        </form>
      </Paper>
    </Center>
  );
}
