import type { Severity, UsageColor } from '@benchwatch/contract/vocabulary'
import { StyleSheet } from '@react-pdf/renderer'
import { dayNames, HOURS_A_DAY, hourTicks, type RuntimeDay, runtimeGaps } from '../usage/runtime/runtime-axis.ts'

/** Measures of the run time chart in CSS pixels, the same on the page and in the PDF. */

/** Text width on A4. */
export const CHART_WIDTH = 680

/** Space for `24 h` beside the axis. */
export const CHART_LEFT = 34

/** Height of a day without running, to distinguish it from a day without data. */
export const LEAST_BAR = 1.5

/** Width of an axis label including the space to the next one. */
const LABEL_WIDTH = 62

/**
 * Colours and icons of a printed report. It always uses the light theme, because paper is white. Page and PDF share
 * them. Every colour has its own shape and a label, so a grey print says the same.
 */
export const paper = {
  sheet: '#ffffff',
  ink: '#16202c',
  /** Second lines and fact names; contrast 4.5:1 on the sheet and on a row. */
  quiet: '#566271',
  line: '#d5dae1',
  row: '#f3f5f7',
  accent: '#0f6e84',
  accentSoft: '#eef7f9',
  track: '#e4e7ec',
} as const

export interface PaperIcon {
  colour: string
  /** Path in a square of 12. */
  shape: string
  /** True if drawn as an outline. */
  isHollow?: true
}

const dot = 'M6 1.4a4.6 4.6 0 1 1 0 9.2a4.6 4.6 0 1 1 0-9.2Z'

const diamond = 'M6 0.6 11.4 6 6 11.4 0.6 6Z'

const triangle = 'M6 0.9 11.5 11H0.5Z'

const shield = 'M6 0.8 10.6 2.4V6C10.6 8.6 8.7 10.5 6 11.4 3.3 10.5 1.4 8.6 1.4 6V2.4Z'

export const severityIcons: Record<Severity, PaperIcon> = {
  high: { colour: '#d92d20', shape: triangle },
  medium: { colour: '#e8760c', shape: diamond },
  low: { colour: '#b98900', shape: dot },
}

export const usageIcons: Record<UsageColor, PaperIcon> = {
  normal: { colour: '#1a8f4a', shape: dot },
  safety: { colour: '#0b5a30', shape: shield },
  high: { colour: '#e8760c', shape: diamond },
  maximum: { colour: '#d92d20', shape: triangle },
  unknown: { colour: '#8b95a3', shape: 'M6 2a4 4 0 1 1 0 8a4 4 0 1 1 0-8Z', isHollow: true },
}

/** Points per millimetre. */
const mm = 72 / 25.4

/**
 * Measures of the PDF in points: three quarters of the page's CSS pixels, so that both break lines at the same places.
 */
export const margins = { top: 19 * mm, side: 15 * mm, bottom: 17 * mm }
export const textWidth = 180 * mm
export const pageHeight = 297 * mm

export const styles = StyleSheet.create({
  page: {
    paddingTop: margins.top,
    paddingBottom: margins.bottom,
    paddingHorizontal: margins.side,
    color: paper.ink,
    fontSize: 9,
    lineHeight: 1.35,
    // With kerning, the dots of versions and addresses touch the digits; tabular figures would widen hyphens.
    fontFeatureSettings: { kern: 0 },
  },
  edge: { position: 'absolute', left: margins.side, right: margins.side, color: paper.quiet, fontSize: 8 },
  between: { flexDirection: 'row', justifyContent: 'space-between', gap: 16 },
  head: { paddingBottom: 10, borderBottom: `1.5 solid ${paper.accent}`, marginTop: -margins.top / 3 },
  title: { fontSize: 19, fontWeight: 600, lineHeight: 1.2 },
  subtitle: { fontSize: 10, color: paper.quiet },
  about: { alignItems: 'flex-end', justifyContent: 'flex-end', maxWidth: '60%' },
  strong: { fontWeight: 600 },
  quiet: { color: paper.quiet },
  small: { color: paper.quiet, fontSize: 8 },
  sectionTitle: {
    marginTop: 15,
    marginBottom: 6,
    paddingBottom: 3,
    borderBottom: `0.75 solid ${paper.line}`,
    fontSize: 10.5,
    fontWeight: 600,
  },
  box: { marginTop: 14, padding: 9, borderRadius: 4, backgroundColor: paper.accentSoft },
  boxTitle: { marginBottom: 4, fontSize: 10.5, fontWeight: 600 },
  columns: { flexDirection: 'row', gap: 24, marginBottom: 2 },
  column: { flexGrow: 1, flexBasis: 0 },
  fact: { flexDirection: 'row', gap: 6, flexGrow: 1, flexBasis: 0 },
  factName: { width: 87, color: paper.quiet },
  factValue: { flexGrow: 1, flexBasis: 0 },
  tableTitle: { marginTop: 6, marginBottom: 3, fontWeight: 600 },
  tableHead: {
    flexDirection: 'row',
    backgroundColor: paper.row,
    color: paper.quiet,
    fontSize: 8,
    paddingVertical: 3,
  },
  row: { flexDirection: 'row', borderBottom: `0.75 solid ${paper.line}`, paddingVertical: 2.6 },
  cell: { paddingHorizontal: 6 },
  cellText: { flexDirection: 'row', alignItems: 'center', gap: 4 },
  filling: { flexGrow: 1, flexBasis: 0 },
  key: { flexDirection: 'row', alignItems: 'flex-start', gap: 5, flexGrow: 1, flexBasis: 0 },
  icon: { width: 7.5, height: 7.5, flexShrink: 0 },
  keyIcon: { width: 7.5, height: 7.5, flexShrink: 0, marginTop: 2.6 },
  component: { paddingTop: 5, paddingBottom: 6, borderBottom: `0.75 solid ${paper.line}` },
  counter: { flexDirection: 'row', alignItems: 'center', gap: 9, marginTop: 2 },
  metric: { width: '24%' },
  track: { width: '15%', height: 5.2, borderRadius: 2.6, backgroundColor: paper.track, overflow: 'hidden' },
  steps: { width: '15%', flexDirection: 'row', gap: 1.5 },
  step: { flexGrow: 1, height: 5.2, borderRadius: 1, backgroundColor: paper.track },
  amount: { flexGrow: 1, flexBasis: 0, flexDirection: 'row', flexWrap: 'wrap', alignItems: 'flex-end', columnGap: 4 },
  word: { width: '18%', flexDirection: 'row', alignItems: 'center', gap: 4 },
  smallFacts: { flexDirection: 'row', flexWrap: 'wrap', columnGap: 13, marginTop: 3, fontSize: 8 },
  foot: {
    marginTop: 12,
    paddingTop: 9,
    gap: 4,
    borderTop: `0.75 solid ${paper.line}`,
    color: paper.quiet,
    fontSize: 8,
  },
})

interface ChartRect {
  x: number
  y: number
  width: number
  height: number
  fill: string
}

/**
 * Computes the run time chart for a drawing of this width, from the upper left corner of the plot: gaps and bars as
 * rectangles, hours with a line across, and names of days below.
 */
export function runtimeDrawing(days: readonly RuntimeDay[], whole: number) {
  // Without half of the last day's name.
  const [width, height] = [whole - CHART_LEFT - 16, 132]
  const step = width / Math.max(1, days.length)
  const bar = Math.min(step * 0.72, 56)
  const gaps = runtimeGaps(days).map(
    ({ first, last }): ChartRect => ({
      x: first * step,
      y: 0,
      width: (last - first + 1) * step,
      height,
      fill: paper.row,
    }),
  )
  const bars = days.flatMap(({ hours }, at): ChartRect[] => {
    if (hours === null) return []
    const shown = Math.max(LEAST_BAR, (hours / HOURS_A_DAY) * height)
    return [{ x: at * step + (step - bar) / 2, y: height - shown, width: bar, height: shown, fill: paper.accent }]
  })
  const names = dayNames(
    days.map(({ day }) => day),
    Math.max(2, Math.floor(width / LABEL_WIDTH)),
  )
  return {
    viewBox: `${-CHART_LEFT} -8 ${whole} ${height + 30}`,
    width,
    gaps,
    bars,
    lines: hourTicks.map((hours) => ({
      text: `${hours} h`,
      y: height - (hours / HOURS_A_DAY) * height,
      stroke: hours === 0 ? paper.quiet : paper.line,
    })),
    names: names.map(({ at, text }) => ({ text, x: (at + 0.5) * step, y: height + 16 })),
  }
}
