import { Badge, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { describeSecretExpiry, toDay } from '../../domain/connection/secret-expiry.js';

const COLORS = { fresh: 'gray', soon: 'orange', expired: 'red' } as const;

export function SecretExpiryBadge({ day }: { day: string }) {
  const { state, text } = describeSecretExpiry(day, Date.now() / 1000);
  return (
    <Badge variant="dot" color={COLORS[state]} tt="none" title={day}>
      {text}
    </Badge>
  );
}

/** An empty value means that the day is not known. */
export function SecretExpiryInput(props: {
  value: string;
  onChange: (day: string) => void;
  error: string | undefined;
  children?: ReactNode;
}) {
  return (
    <TextInput
      type="date"
      label="Secret expires on"
      description={props.children ?? 'The overview lists the connection 30 days before. Leave blank if the secret does not expire.'}
      name="secret_expires_on"
      min={toDay(Date.now() / 1000)}
      value={props.value}
      onChange={({ currentTarget }) => props.onChange(currentTarget.value)}
      error={props.error}
    />
  );
}
