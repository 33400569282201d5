import { ThemeIcon } from '@mantine/core';
import { IconBug, IconDeviceLaptop, IconFlag, IconPlane, IconShieldSearch, IconWorldSearch } from '@tabler/icons-react';
import type { ConnectorIcon as IconName } from '../../../domain/connection/connector.js';

const ICONS = {
  device: IconDeviceLaptop,
  incident: IconFlag,
  malware: IconBug,
  vulnerability: IconShieldSearch,
  travel: IconPlane,
  intelligence: IconWorldSearch,
} as const satisfies Record<IconName, typeof IconBug>;

export function ConnectorIcon({ icon }: { icon: IconName }) {
  const Icon = ICONS[icon];
  return (
    <ThemeIcon variant="light" size="lg" aria-hidden="true">
      <Icon size={20} />
    </ThemeIcon>
  );
}
