import type { Instrument } from '@benchwatch/contract/instruments'
import type { ServiceEvent } from '@benchwatch/contract/service-events'
import type { ComponentMetric, ComponentUsage, DailyRuntime } from '@benchwatch/contract/usage'
import type { Severity, UsageColor } from '@benchwatch/contract/vocabulary'
import type { RuntimeDay } from '../usage/runtime-axis.ts'

/**
 * What a System Report is made of, and the report itself as sections and blocks. `build-report.ts` makes one from the other; the
 * page and the PDF draw the same blocks, so neither decides what stands in a report.
 */

export type ReportType = 'fe' | 'qs'

/** Everything that a report is made of, read at one moment. */
export interface ReportSource {
  reportType: ReportType
  instrument: Instrument
  /** By template id in order of rank, and the newest; null where the report has no events. */
  events: { frequent: Record<string, { event: ServiceEvent; count: number }>; recent: ServiceEvent[] } | null
  /** Of the last 30 days; null where a flag hides run times. */
  runtimes: DailyRuntime[] | null
  /** By name; null where flags hide them. */
  components: ComponentUsage[] | null
  author: { name: string; email: string }
  product: { name: string; version: string }
  /** Epoch milliseconds. */
  madeAt: number
}

export interface ReportFact {
  name: string
  /** Null: not known. */
  value: string | null
}

/** What colour stands beside a text; the text says the same in words. */
export type ReportMark = { kind: 'severity'; severity: Severity } | { kind: 'usage'; usage: UsageColor }

export interface ReportCell {
  text: string
  /** A second, quieter line. */
  note?: string | null
  mark?: ReportMark
}

export interface ReportColumn {
  title: string
  /** Share of the width, compared with the other columns. */
  share: number
  isNumber?: true
}

export interface ReportTable {
  kind: 'table'
  title: string | null
  columns: ReportColumn[]
  rows: ReportCell[][]
  /** Said where there are no rows. */
  empty: string
}

export interface ReportComponent {
  name: string
  module: string | null
  /** `verdict`: what the judgement says beyond its word, or null. */
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
  /** Section 1: what it is, of what and of when. Stands on every printed page. */
  head: { title: string; subtitle: string; instrument: string; date: string }
  /** Sections 2 to 9. */
  sections: ReportSection[]
  /** Sections 10 and 11. */
  foot: { madeBy: string; confidentiality: string }
}
