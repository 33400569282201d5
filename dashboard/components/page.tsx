import { Anchor, type AnchorProps, Button, Group, Stack, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { createLink, type LinkComponent } from '@tanstack/react-router';
import { type AnchorHTMLAttributes, forwardRef, type ReactNode } from 'react';

/** `name` is the title of the browser tab, if the title on the page is more than a text. A page with `isList` has the height of the screen. */
type PageProps = { actions?: ReactNode; children: ReactNode; isList?: boolean } & (
  | { title: string; name?: never }
  | { title: ReactNode; name: string }
);

export function Page({ title, name, actions, children, isList = false }: PageProps) {
  useDocumentTitle(`${name ?? title} · Alert investigator`);
  return (
    <Stack gap={isList ? 'sm' : 'md'} className={isList ? 'list-page' : ''}>
      <Group justify="space-between" align="flex-start">
        <Title order={2} fz="h3" className="breakable">
          {title}
        </Title>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}

const MantineAnchor = forwardRef<HTMLAnchorElement, AnchorProps & AnchorHTMLAttributes<HTMLAnchorElement>>((props, ref) => (
  <Anchor ref={ref} {...props} />
));
const CreatedLink = createLink(MantineAnchor);

/** A link to a page of the dashboard. */
export const PageLink: LinkComponent<typeof MantineAnchor> = (props) => <CreatedLink {...props} />;

/** The cursor only moves to older rows; the browser's back button returns to newer ones. */
export function Paging(props: { cursor: string | undefined; next: string | null; onMove: (cursor: string | undefined) => void }) {
  const { cursor, next, onMove } = props;
  if (cursor === undefined && next === null) return null;
  return (
    <Group justify="flex-end" gap="xs" component="nav" aria-label="Pagination">
      <Button variant="default" size="xs" disabled={cursor === undefined} onClick={() => onMove(undefined)}>
        Newest
      </Button>
      <Button variant="default" size="xs" disabled={next === null} onClick={() => onMove(next ?? undefined)}>
        Older
      </Button>
    </Group>
  );
}
