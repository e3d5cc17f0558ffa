import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'

/**
 * Mantine speaks the design tokens: its colours and sizes are set from tokens.css, so one file decides how both its
 * components and our own look.
 */

/** Shade 7 is the accent on light ground, shade 4 the one on dark ground. */
const accent: MantineColorsTuple = [
  '#eef8fa',
  '#e3f2f5',
  '#b8dfe8',
  '#84cbdb',
  '#4fc0d8',
  '#2fa0b9',
  '#1b849c',
  '#0f6e84',
  '#0b5a6c',
  '#084857',
]

export const theme = createTheme({
  primaryColor: 'accent',
  primaryShade: { light: 7, dark: 4 },
  colors: { accent },
  autoContrast: true,
  luminanceThreshold: 0.35,
  black: '#0e1318',
  fontFamily: 'var(--bw-font)',
  headings: { fontFamily: 'var(--bw-font)', fontWeight: '650' },
  fontSizes: { xs: '11.5px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  defaultRadius: 8,
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  components: {
    Button: {
      defaultProps: { size: 'sm' },
      styles: { root: { '--button-height': '34px', '--button-padding-x': '13px' } },
    },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    TextInput: { defaultProps: { size: 'sm' } },
    Menu: { defaultProps: { shadow: 'md', transitionProps: { duration: 100 } } },
    Popover: { defaultProps: { shadow: 'md', transitionProps: { duration: 100 } } },
    Modal: {
      defaultProps: { centered: true, transitionProps: { duration: 120 }, closeButtonProps: { 'aria-label': 'Close' } },
    },
    Tooltip: { defaultProps: { transitionProps: { duration: 80 }, openDelay: 300 } },
    SegmentedControl: { defaultProps: { transitionDuration: 120 } },
  },
})

const tokens = {
  '--mantine-color-body': 'var(--bw-panel)',
  '--mantine-color-text': 'var(--bw-ink-1)',
  '--mantine-color-bright': 'var(--bw-ink-1)',
  '--mantine-color-dimmed': 'var(--bw-ink-2)',
  '--mantine-color-placeholder': 'var(--bw-ink-3)',
  '--mantine-color-anchor': 'var(--bw-accent)',
  '--mantine-color-default': 'var(--bw-panel)',
  '--mantine-color-default-hover': 'var(--bw-hover)',
  '--mantine-color-default-color': 'var(--bw-ink-1)',
  '--mantine-color-default-border': 'var(--bw-line-strong)',
  '--mantine-color-error': 'var(--bw-danger)',
  '--mantine-color-disabled': 'var(--bw-disabled)',
  '--mantine-color-disabled-color': 'var(--bw-ink-3)',
  '--mantine-color-disabled-border': 'var(--bw-line)',
}

export const cssVariables: CSSVariablesResolver = () => ({
  variables: { '--mantine-line-height': '1.45' },
  light: tokens,
  dark: tokens,
})
