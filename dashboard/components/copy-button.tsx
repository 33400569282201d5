import { Button, CopyButton as MantineCopyButton } from '@mantine/core';

export function CopyButton({ value }: { value: string }) {
  return (
    <MantineCopyButton value={value}>
      {({ copied, copy }) => (
        <Button size="compact-xs" variant="default" onClick={copy}>
          {copied ? 'Copied' : 'Copy'}
        </Button>
      )}
    </MantineCopyButton>
  );
}
