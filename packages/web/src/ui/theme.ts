import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type MantineTheme,
  type VariantColorsResolver,
} from '@mantine/core'

/**
 * Maps the design tokens to Mantine's theme: colours and sizes come from tokens.css, so that one file defines the look
 * of Mantine's components and our own.
 */

/** Shade 7 is the accent in the light theme, shade 4 in the dark one. */
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

/** Mantine's greys of the dark theme: text, borders, fields and menus, background. */
const dark: MantineColorsTuple = [
  '#e8edf2',
  '#c6cfd8',
  '#9fabb8',
  '#8592a0',
  '#33404c',
  '#26303a',
  '#1a222a',
  '#151c23',
  '#0e1318',
  '#0a0e12',
]

/**
 * Fills controls with the accent. Mantine would derive their text colour from the light shade in the dark theme, too.
 */
const variantColors: VariantColorsResolver = (input) => {
  const isAccent = input.color === undefined || input.color === input.theme.primaryColor
  if (input.variant !== 'filled' || !isAccent) return defaultVariantColorsResolver(input)
  return {
    background: 'var(--bw-accent)',
    hover: 'var(--bw-accent-strong)',
    color: 'var(--bw-on-accent)',
    border: '1px solid transparent',
  }
}

interface Sized {
  size?: unknown
}

/** Control heights from tokens.css: 34 px, 44 on a phone, at least 40 in the login. */
const height = (size: unknown) => (size === 'md' ? 'max(40px, var(--bw-control))' : 'var(--bw-control)')

/** Font size of input text: 13 px, 14 in the login, 16 on a phone. */
const textSize = (size: unknown) => (size === 'md' ? 'max(14px, var(--bw-field))' : 'var(--bw-field)')

export const theme = createTheme({
  primaryColor: 'accent',
  primaryShade: { light: 7, dark: 4 },
  colors: { accent, dark },
  variantColorResolver: variantColors,
  autoContrast: true,
  luminanceThreshold: 0.35,
  black: '#0e1318',
  fontFamily: 'var(--bw-font)',
  headings: {
    fontFamily: 'var(--bw-font)',
    fontWeight: '650',
    sizes: {
      h1: { fontSize: 'var(--bw-size-title)', lineHeight: '1.25' },
      h2: { fontSize: '16px', lineHeight: '1.35' },
      h3: { fontSize: '13px', lineHeight: '1.45' },
    },
  },
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  shadows: {
    xs: 'var(--bw-shadow)',
    md: 'var(--bw-shadow-raised)',
    lg: '0 1px 2px rgb(16 24 40 / 4%), 0 12px 32px -12px rgb(16 24 40 / 14%)',
  },
  // Phone, then cards instead of rows below md, then windows with room for a second column.
  breakpoints: { xs: '30em', sm: '35em', md: '45em', lg: '62.5em', xl: '75em' },
  defaultRadius: 8,
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  // Plain objects, because `Button.extend` would pull every component named here into the first chunk.
  components: {
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    Checkbox: {
      vars: () => ({ root: { '--checkbox-icon-color': 'var(--bw-on-accent)' } }),
      styles: { description: { fontSize: 12 } },
    },
    Badge: { defaultProps: { tt: 'none' } },
    DatePicker: {
      defaultProps: {
        size: 'sm',
        firstDayOfWeek: 1,
        weekendDays: [],
        hideOutsideDates: true,
        ariaLabels: { previousMonth: 'Previous month', nextMonth: 'Next month' },
      },
    },
    Button: {
      defaultProps: { size: 'sm' },
      vars: (_theme: MantineTheme, { size }: Sized) => ({
        root: { '--button-height': height(size), '--button-padding-x': '13px' },
      }),
      // A busy button keeps the focus, which a disabled one would lose.
      styles: (_theme: MantineTheme, props: { 'aria-busy'?: boolean }) => ({
        root: { fontWeight: 570, ...(props['aria-busy'] && { opacity: 0.6, cursor: 'progress' }) },
      }),
    },
    // The chosen option in the soft accent, on which secondary text can be read, too.
    Combobox: {
      styles: {
        options: {
          '--mantine-primary-color-filled': 'var(--bw-accent-soft)',
          '--mantine-color-white': 'var(--bw-ink-1)',
        },
      },
    },
    Input: {
      vars: (_theme: MantineTheme, { size }: Sized) => ({
        wrapper: { '--input-height': height(size), '--input-fz': textSize(size) },
      }),
    },
    // Hints below their fields, so that adjacent fields align.
    InputWrapper: {
      defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] },
      styles: { label: { marginBottom: 5, fontWeight: 570 }, description: { fontSize: 12 }, error: { fontSize: 12 } },
    },
    Menu: {
      defaultProps: { shadow: 'md', transitionProps: { duration: 100 } },
      styles: { item: { minHeight: 'var(--bw-control)' } },
    },
    Modal: {
      defaultProps: {
        centered: true,
        radius: 12,
        transitionProps: { duration: 120 },
        // The page keeps its scroll bar, so nothing moves and sticky parts stay; the dialog still takes wheel and touch.
        removeScrollProps: { removeScrollBar: false },
        closeButtonProps: { 'aria-label': 'Close' },
      },
      styles: {
        content: { border: '1px solid var(--bw-line)', boxShadow: 'var(--bw-shadow-raised)' },
        title: { fontSize: 16, fontWeight: 620, lineHeight: 1.35 },
      },
    },
    // A header element in a dialog would count as a second banner of the page.
    ModalHeader: { defaultProps: { role: 'presentation' } },
    // As high as the header, which has no controls there.
    Notification: {
      styles: {
        root: { minHeight: 42, paddingBlock: 3 },
        body: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 10 },
        title: { margin: 0, lineHeight: 1.3 },
        description: { color: 'var(--bw-ink-2)', lineHeight: 1.3 },
      },
    },
    Paper: { defaultProps: { radius: 12 }, vars: () => ({ root: { '--paper-border-color': 'var(--bw-line)' } }) },
    Popover: { defaultProps: { shadow: 'md', transitionProps: { duration: 100 } } },
    SegmentedControl: { defaultProps: { transitionDuration: 120 } },
    Text: { defaultProps: { size: 'sm' } },
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
  '--mantine-primary-color-light': 'var(--bw-accent-soft)',
  '--mantine-primary-color-light-hover': 'var(--bw-accent-soft)',
  '--mantine-primary-color-light-color': 'var(--bw-accent)',
  // Borderless variants would otherwise use palette shades that are the accent of neither theme.
  '--mantine-color-accent-light': 'var(--bw-accent-soft)',
  '--mantine-color-accent-light-hover': 'var(--bw-accent-soft)',
  '--mantine-color-accent-light-color': 'var(--bw-accent)',
  '--mantine-color-disabled': 'var(--bw-disabled)',
  '--mantine-color-disabled-color': 'var(--bw-ink-3)',
  '--mantine-color-disabled-border': 'var(--bw-line)',
}

export const cssVariables: CSSVariablesResolver = () => ({
  variables: { '--mantine-line-height': '1.45' },
  light: tokens,
  dark: tokens,
})
