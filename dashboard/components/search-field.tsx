import { TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';

const PAUSE_MS = 300;

interface SearchFieldProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  value: string | undefined;
  onSearch: (text: string | undefined) => unknown;
}

/** Searches when the typing pauses, and follows the address when it changes elsewhere. */
export function SearchField({ value, onSearch, ...rest }: SearchFieldProps) {
  const [typed, setTyped] = useState(value ?? '');
  const searched = useRef(value);
  const search = useDebouncedCallback((text: string) => {
    searched.current = text.trim() || undefined;
    onSearch(searched.current);
  }, PAUSE_MS);
  useEffect(() => {
    if (value === searched.current) return;
    searched.current = value;
    setTyped(value ?? '');
  }, [value]);
  return (
    <TextInput
      {...rest}
      type="search"
      value={typed}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        search(currentTarget.value);
      }}
    />
  );
}
