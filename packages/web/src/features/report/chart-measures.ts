import type { Plot } from '../usage/runtime-axis.ts'

/** Measures of the chart of run times, the same on the page and in the PDF: its whole width is that of the text on A4 in CSS pixels. */

export const CHART_WIDTH = 680
/** Room for `24 h` beside the axis. */
export const CHART_LEFT = 34
/** Height of a day without running, so that it is not taken for one without data. */
export const LEAST_BAR = 1.5

/** Half a day's label reaches beyond the last day. */
export const chartPlot: Plot = { width: CHART_WIDTH - CHART_LEFT - 14, height: 132 }
