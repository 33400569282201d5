import { Badge, createTheme, Menu, Modal, Notification } from '@mantine/core';

export const theme = createTheme({
  primaryColor: 'blue',
  defaultRadius: 'md',
  respectReducedMotion: true,
  // Contrast of text on filled colors, and of colored text (WCAG AA).
  primaryShade: { light: 9, dark: 8 },
  autoContrast: true,
  luminanceThreshold: 0.2,
  components: {
    // A truncated status is unreadable: the column shrinks instead of the badge.
    Badge: Badge.extend({ defaultProps: { miw: 'max-content' } }),
    // The first item takes the focus: assistive technology expects only items in a menu.
    Menu: Menu.extend({ defaultProps: { withInitialFocusPlaceholder: false } }),
    Modal: Modal.extend({ defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } }),
    Notification: Notification.extend({ defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } }),
  },
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
});
