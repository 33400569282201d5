import { Textarea } from '@mantine/core';

/** The reason of a decision, which the timeline of a case shows. */
export function ReasonField({ value, onChange, required }: { value: string; onChange: (value: string) => void; required: boolean }) {
  return (
    <Textarea
      label="Reason"
      required={required}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      autosize
      minRows={2}
    />
  );
}
