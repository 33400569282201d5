import { TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';

const PAUSE_MS = 300;

interface SearchFieldProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  value: string | undefined;
  onSearch: (text: string | undefined) => unknown;
}

/** A filter in words: asked for when the typing pauses, emptied when the address says so. */
export function SearchField({ value, onSearch, ...rest }: SearchFieldProps) {
  const [typed, setTyped] = useState(value ?? '');
  const asked = useRef(value);
  const ask = useDebouncedCallback((text: string) => {
    asked.current = text.trim() || undefined;
    onSearch(asked.current);
  }, PAUSE_MS);
  useEffect(() => {
    if (value === asked.current) return;
    asked.current = value;
    setTyped(value ?? '');
  }, [value]);
  return (
    <TextInput
      {...rest}
      type="search"
      value={typed}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        ask(currentTarget.value);
      }}
    />
  );
}
