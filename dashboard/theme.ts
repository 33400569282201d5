import { Badge, createTheme, Menu, Modal, Notification } from '@mantine/core';

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
    // A menu holds nothing but its items: the first of them takes the focus.
    Menu: Menu.extend({ defaultProps: { withInitialFocusPlaceholder: false } }),
    Modal: Modal.extend({ defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } }),
    Notification: Notification.extend({ defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } }),
  },
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
});
