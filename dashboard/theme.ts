import { Badge, createTheme, Modal } from '@mantine/core';

export const theme = createTheme({
  primaryColor: 'blue',
  defaultRadius: 'md',
  respectReducedMotion: true,
  // Text on a filled colour, and coloured text on the page, can be read (WCAG AA).
  primaryShade: { light: 9, dark: 8 },
  autoContrast: true,
  luminanceThreshold: 0.2,
  components: {
    // A status that is cut off says nothing: the column gives way, not the badge.
    Badge: Badge.extend({ defaultProps: { miw: 'max-content' } }),
    Modal: Modal.extend({ defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } }),
  },
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
});
