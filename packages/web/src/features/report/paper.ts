import type { Severity, UsageColor } from '@benchwatch/contract/vocabulary'

/**
 * Colours and signs of a report on paper: the light theme's, whatever theme the console has, because paper is white. Page and PDF
 * take them from here. Every colour has a shape of its own and a word beside it, so a grey print says the same.
 */

export const paper = {
  sheet: '#ffffff',
  ink: '#16202c',
  /** Second lines and names of facts; 4.5:1 on the sheet and on a row. */
  quiet: '#566271',
  line: '#d5dae1',
  row: '#f3f5f7',
  accent: '#0f6e84',
  accentSoft: '#eef7f9',
  track: '#e4e7ec',
} as const

export interface Sign {
  colour: string
  /** Path in a square of 12. */
  shape: string
  /** Drawn as an outline. */
  isHollow?: true
}

const dot = 'M6 1.4a4.6 4.6 0 1 1 0 9.2a4.6 4.6 0 1 1 0-9.2Z'
const diamond = 'M6 0.6 11.4 6 6 11.4 0.6 6Z'
const triangle = 'M6 0.9 11.5 11H0.5Z'
const shield = 'M6 0.8 10.6 2.4V6C10.6 8.6 8.7 10.5 6 11.4 3.3 10.5 1.4 8.6 1.4 6V2.4Z'

export const severitySigns: Record<Severity, Sign> = {
  high: { colour: '#d92d20', shape: triangle },
  medium: { colour: '#e8760c', shape: diamond },
  low: { colour: '#b98900', shape: dot },
}

export const usageSigns: Record<UsageColor, Sign> = {
  normal: { colour: '#1a8f4a', shape: dot },
  safety: { colour: '#0b5a30', shape: shield },
  high: { colour: '#e8760c', shape: diamond },
  maximum: { colour: '#d92d20', shape: triangle },
  unknown: { colour: '#8b95a3', shape: 'M6 2a4 4 0 1 1 0 8a4 4 0 1 1 0-8Z', isHollow: true },
}
