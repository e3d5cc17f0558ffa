/**
 * The measures of the built-in dashboard with what people read, in the order of the page; the last is what stands above
 * its panels. Plain data, as in `vocabulary.ts`.
 */
export const kpiMeasureLabels = {
  'event-rate': 'Events by severity',
  'response-by-owner': 'Time to acknowledge and to close, by owner',
  'response-by-customer': 'Time to acknowledge and to close, by customer',
  'open-by-age': 'Open work by age',
  'close-reasons': 'Reasons closed',
  'top-errors': 'Most frequent errors',
  'top-families': 'Events by instrument family',
  'noisiest-instruments': 'Noisiest instruments',
  sla: '24-hour contracts kept and missed',
  'gateway-uptime': 'Gateway up-time',
  'usage-due': 'Usage soon due',
  response: 'Time to acknowledge and to close, in all',
} as const

export type KpiMeasure = keyof typeof kpiMeasureLabels
export const kpiMeasures = Object.keys(kpiMeasureLabels) as [KpiMeasure, ...KpiMeasure[]]
