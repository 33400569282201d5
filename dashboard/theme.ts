import { createTheme } from '@mantine/core';

export const theme = createTheme({
  primaryColor: 'blue',
  defaultRadius: 'md',
  respectReducedMotion: true,
  // Contrast of text on filled colors, and of colored text (WCAG AA).
  primaryShade: { light: 9, dark: 8 },
  autoContrast: true,
  luminanceThreshold: 0.2,
  // Plain objects: `Modal.extend` would load the component on every page.
  components: {
    // A truncated status is unreadable: the column shrinks instead of the badge.
    Badge: { defaultProps: { miw: 'max-content' } },
    // The first item takes the focus: assistive technology expects only items in a menu.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Modal: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
  },
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
});
