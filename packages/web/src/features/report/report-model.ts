import type { ServiceEvent } from '@benchwatch/contract/events/events'
import type { Instrument, InstrumentTypes } from '@benchwatch/contract/instruments/instruments'
import type { ComponentMetric, ComponentUsage, DailyRuntime } from '@benchwatch/contract/instruments/usage'
import type { Severity, UsageColor } from '@benchwatch/contract/vocabulary'
import { formatClock, formatInstrumentDate, formatZone } from '../../lib/time/dates.ts'
import type { RuntimeDay } from '../usage/runtime/runtime-axis.ts'

/**
 * The source data of a System Report, and the report as sections and blocks. `build-report.ts` turns one into the
 * other; page and PDF draw the same blocks, so neither decides the content of a report.
 */

/** Fixed texts of a report: title, product information, author and confidentiality. */
export const reportTypeLabels: Record<ReportType, string> = { fe: 'Field Engineer', qs: 'Qualification Services' }

export type ReportType = 'fe' | 'qs'

/** All data of a report, read at one moment. */
export interface ReportSource {
  reportType: ReportType
  instrument: Instrument
  types: InstrumentTypes
  /**
   * The most frequent events by template id, in order of rank, and the newest events; null if the report has no
   * events.
   */
  events: { frequent: Record<string, { event: ServiceEvent; count: number }>; recent: ServiceEvent[] } | null
  /** The last 30 days; null if a flag hides run times. */
  runtimes: DailyRuntime[] | null
  /** Sorted by name; null if flags hide them. */
  components: ComponentUsage[] | null
  author: { name: string; email: string }
  product: { name: string; version: string }
  /** Epoch milliseconds. */
  madeAt: number
}

export interface ReportFact {
  name: string
  /** Null if unknown. */
  value: string | null
}

/** The colour beside a text; the text says the same in words. */
export type ReportMark = { kind: 'severity'; severity: Severity } | { kind: 'usage'; usage: UsageColor }

export interface ReportCell {
  text: string
  /** A second, quieter line. */
  note?: string | null
  mark?: ReportMark
}

export interface ReportColumn {
  title: string
  /** Relative width of the column. */
  share: number
  isNumber?: true
}

export interface ReportTable {
  kind: 'table'
  title: string | null
  columns: ReportColumn[]
  rows: ReportCell[][]
  /** Shown if there are no rows. */
  empty: string
}

/** Returns true for a table, such as the most recent events, that is short enough for one page. */
export function isShortTable({ rows }: ReportTable): boolean {
  return rows.length <= 6
}

export interface ReportComponent {
  name: string
  module: string | null
  /** `verdict`: what the judgement says beyond its label, or null. */
  counters: { metric: ComponentMetric; word: string; amount: string; verdict: string | null }[]
  facts: ReportFact[]
}

export type ReportBlock =
  | { kind: 'facts'; facts: ReportFact[] }
  | ReportTable
  | { kind: 'run-time'; days: RuntimeDay[]; label: string }
  | { kind: 'components'; components: ReportComponent[] }
  | { kind: 'key'; entries: { usage: UsageColor; word: string; meaning: string }[] }
  | { kind: 'points'; points: { title: string; text: string }[] }
  | { kind: 'text'; text: string }

export type SectionName =
  | 'customer'
  | 'system'
  | 'events'
  | 'run-time'
  | 'components'
  | 'colour-key'
  | 'component-list'
  | 'about'

export interface ReportSection {
  name: SectionName
  title: string
  blocks: ReportBlock[]
}

export interface Report {
  /** Section 1: type, instrument and date. Appears on every printed page. */
  head: { title: string; subtitle: string; instrument: string; date: string }
  /** Sections 2 to 9. */
  sections: ReportSection[]
  /** Sections 10 and 11. */
  foot: { madeBy: string; confidentiality: string }
}

export function reportTitles(reportType: ReportType): { title: string; subtitle: string } {
  return { title: 'System Report', subtitle: `${reportTypeLabels[reportType]} Report` }
}

export function reportDate(madeAt: number): string {
  return formatInstrumentDate(madeAt)
}

/**
 * Returns the info box: what the reader can look up without waiting for the next report (document 2, section 9 of the
 * report).
 */
export function aboutPoints(product: string): { title: string; text: string }[] {
  return [
    {
      title: 'Alarms',
      text: `${product} shows events as soon as instruments report them and notifies users by e-mail or text message.`,
    },
    {
      title: 'Status and usage',
      text: 'See what each connected instrument is doing, how long it ran, and which parts are due next.',
    },
    {
      title: 'Log files',
      text: 'Read what an instrument and its computers logged around an event without visiting the laboratory.',
    },
    {
      title: 'Your account',
      text: `Access to ${product} includes a short training course. Ask your service contact for a place.`,
    },
  ]
}

export function madeBy({ author, product, madeAt }: ReportSource): string {
  const who = author.email === '' ? author.name : `${author.name} (${author.email})`
  const when = `${formatInstrumentDate(madeAt)} ${formatClock(madeAt)}, ${formatZone(new Date(madeAt))}`
  return `Created by ${who} on ${when} with ${product.name} ${product.version}.`
}

export function confidentiality(customer: string): string {
  return (
    `Confidential. This report contains data about ${customer} and one of its instruments. It is intended for ${customer} and ` +
    'the service providers of the instrument. Do not share without consent.'
  )
}
