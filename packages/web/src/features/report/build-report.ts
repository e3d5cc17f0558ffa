import { componentCards, componentTable, usageKey } from './report-components.ts'
import { eventTables } from './report-events.ts'
import { customerFacts, systemFacts } from './report-facts.ts'
import type { Report, ReportBlock, ReportSection, ReportSource, SectionName } from './report-model.ts'
import { runtimeBlocks } from './report-runtime.ts'
import { aboutPoints, confidentiality, madeBy, reportDate, reportTitles } from './report-words.ts'

/**
 * The System Report from the answers of the server: which sections it has, in which order, and what is left out for whom.
 * Document 2 "Printable System Report", 3-decisions 9. Pure.
 */

export function buildReport(source: ReportSource): Report {
  const { instrument, reportType, product } = source
  const { title, subtitle } = reportTitles(reportType)
  return {
    head: {
      title,
      subtitle,
      instrument: `${instrument.instrumentProductDescription} · ${instrument.instrumentInstalledProductId}`,
      date: reportDate(source.madeAt),
    },
    sections: [
      section('customer', 'Customer details', [{ kind: 'facts', facts: customerFacts(instrument) }]),
      section('system', 'System information', [{ kind: 'facts', facts: systemFacts(instrument) }]),
      ...eventSections(source),
      ...runtimeSections(source),
      ...componentSections(source),
      section('about', `About ${product.name}`, [{ kind: 'points', points: aboutPoints(product.name) }]),
    ],
    foot: { madeBy: madeBy(source), confidentiality: confidentiality(instrument.instrumentCustomer) },
  }
}

function section(name: SectionName, title: string, blocks: ReportBlock[]): ReportSection {
  return { name, title, blocks }
}

/** What a field engineer wants to know first is nothing that a qualification needs. */
function eventSections({ reportType, events }: ReportSource): ReportSection[] {
  if (reportType !== 'fe' || events === null) return []
  return [section('events', 'Service events', eventTables(events))]
}

function runtimeSections({ runtimes, instrument, madeAt }: ReportSource): ReportSection[] {
  if (runtimes === null) return []
  const blocks = runtimeBlocks(runtimes, { timeZone: instrument.instrumentTimeZone, now: madeAt })
  return [section('run-time', 'Daily run time, last 30 days', blocks)]
}

/** Most components whose details a field engineer's report shows; a qualification shows all (document 2 section 9). */
const FE_COMPONENTS = 4

function componentSections({ components, reportType }: ReportSource): ReportSection[] {
  if (components === null) return []
  const none = 'No component usage was reported by this instrument.'
  if (components.length === 0) return [section('components', 'Component details', [{ kind: 'text', text: none }])]
  const shown = reportType === 'fe' ? components.slice(0, FE_COMPONENTS) : components
  return [
    section('components', titleOf(shown.length, components.length), [
      { kind: 'components', components: componentCards(shown) },
    ]),
    section('colour-key', 'Colour key', [{ kind: 'key', entries: usageKey }]),
    section('component-list', `All components (${components.length})`, [componentTable(components)]),
  ]
}

function titleOf(shown: number, all: number): string {
  return shown === all ? 'Component details' : `Component details (first ${shown} of ${all})`
}
