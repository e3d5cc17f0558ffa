import type { Plot } from '../usage/runtime-axis.ts'

/** Measures of the chart of run times, the same on the page and in the PDF, in CSS pixels. */

/** Width of the text on A4. */
export const CHART_WIDTH = 680
/** Room for `24 h` beside the axis. */
export const CHART_LEFT = 34
/** Height of a day without running, so that it is not taken for one without data. */
export const LEAST_BAR = 1.5
/** A label below the axis with the space to the next one. */
const LABEL_WIDTH = 62

/** What is left for bars in a chart of this width: half the label of the last day reaches beyond it. */
export function chartPlot(width: number): Plot {
  return { width: width - CHART_LEFT - 16, height: 132 }
}

export function labelsIn({ width }: Plot): number {
  return Math.max(2, Math.floor(width / LABEL_WIDTH))
}
