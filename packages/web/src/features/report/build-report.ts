import type { ServiceEvent } from '@benchwatch/contract/events/events'
import type { Instrument } from '@benchwatch/contract/instruments/instruments'
import type { ComponentUsage } from '@benchwatch/contract/instruments/usage'
import { alertStatusLabels, severityLabels, type UsageColor, usageColors } from '@benchwatch/contract/vocabulary'
import { addressLines } from '../../lib/address.ts'
import { typeLabel } from '../../lib/instrument-type.ts'
import { phoneText } from '../../lib/phone.ts'
import { eventName } from '../../lib/screen-name.ts'
import { formatInstrumentDate } from '../../lib/time/dates.ts'
import { isMonitored, monitoringUnavailable } from '../connections/monitoring-note.tsx'
import { readNetworkConfigurations } from '../instruments/details/network-configurations.ts'
import {
  judgementLabel,
  readingText,
  splitComponentName,
  usageAmount,
  usageLabels,
  usageVerdict,
  worstMetric,
} from '../usage/usage-judgement.ts'
import {
  aboutPoints,
  confidentiality,
  madeBy,
  type Report,
  type ReportBlock,
  type ReportCell,
  type ReportComponent,
  type ReportFact,
  type ReportSection,
  type ReportSource,
  type ReportTable,
  reportDate,
  reportTitles,
  type SectionName,
} from './report-model.ts'
import { runtimeBlocks } from './report-runtime.ts'

/**
 * Builds the System Report from server data: which sections it has, in which order, and which are left out for whom.
 * Document 2 "Printable System Report", 3-decisions 9. Pure.
 */

const meanings: Record<UsageColor, string> = {
  normal: 'Below its thresholds',
  safety: 'Above the safety threshold, below the maximum',
  high: 'Near the maximum, or change soon',
  maximum: 'At or above the maximum, or change now',
  unknown: 'No value or no known threshold',
}

/** Sorted by increasing urgency, unknown last. */
const usageKey = [...usageColors]
  .sort((one, other) => Number(one === 'unknown') - Number(other === 'unknown'))
  .map((usage) => ({ usage, word: usageLabels[usage], meaning: meanings[usage] }))

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
      section('system', 'System information', [{ kind: 'facts', facts: systemFacts(source) }]),
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

/** Returns the event sections, which field engineers need first and qualification does not need. */
function eventSections({ reportType, events }: ReportSource): ReportSection[] {
  if (reportType !== 'fe' || events === null) return []
  return [section('events', 'Service events', eventTables(events))]
}

function runtimeSections({ runtimes, instrument, madeAt }: ReportSource): ReportSection[] {
  if (runtimes === null) return []
  const blocks = runtimeBlocks(runtimes, { timeZone: instrument.instrumentTimeZone, now: madeAt })
  return [section('run-time', 'Daily run time, last 30 days', blocks)]
}

/**
 * Most components with details in a field engineer's report; a qualification report shows all (document 2 section 9).
 */
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

/** Returns the two event tables of a field engineer's report: most frequent and most recent. */
function eventTables({ frequent, recent }: NonNullable<ReportSource['events']>): ReportTable[] {
  return [
    {
      kind: 'table',
      title: 'Most frequent events, last 6 months',
      columns: [
        { title: 'Events', share: 9, isNumber: true },
        { title: 'Event', share: 43 },
        { title: 'Error ID', share: 17 },
        { title: 'Severity', share: 13 },
        { title: 'Last on', share: 18 },
      ],
      rows: Object.values(frequent).map(({ event, count }) => [
        { text: `${count}` },
        description(event),
        { text: event.templateId },
        severity(event),
        { text: formatInstrumentDate(event.createdAt) },
      ]),
      empty: 'No events in the last 6 months.',
    },
    {
      kind: 'table',
      title: 'Most recent events',
      columns: [
        { title: 'Event ID', share: 15 },
        { title: 'Event', share: 38 },
        { title: 'Severity', share: 13 },
        { title: 'Status', share: 16 },
        { title: 'Created on', share: 18 },
      ],
      rows: recent.map((event) => [
        { text: eventName(event) },
        { text: event.description, note: [event.componentName, raisedAgain(event)].filter(Boolean).join(' · ') },
        severity(event),
        { text: alertStatusLabels[event.alertStatus] },
        { text: formatInstrumentDate(event.createdAt) },
      ]),
      empty: 'No events.',
    },
  ]
}

function description({ description: text, componentName }: ServiceEvent): ReportCell {
  return { text, note: componentName }
}

/** An event counts once, however often its alarm was raised again. */
function raisedAgain({ latchedCount }: ServiceEvent): string | null {
  return latchedCount === 0 ? null : `raised ${(latchedCount + 1).toLocaleString('en')} times`
}

function severity(event: ServiceEvent): ReportCell {
  return { text: severityLabels[event.severity], mark: { kind: 'severity', severity: event.severity } }
}

/** Returns the component blocks: each with its counters, then the colour key and the list of all. */
function componentCards(components: readonly ComponentUsage[]): ReportComponent[] {
  return components.map(({ componentName, usage, info, details }) => ({
    ...splitComponentName(componentName),
    counters: usage.map((metric) => ({
      metric,
      word: judgementLabel(metric),
      amount: usageAmount(metric),
      verdict: usageVerdict(metric),
    })),
    facts: [...info, ...details].map((reading) => ({ name: reading.metric, value: readingText(reading) })),
  }))
}

/** Returns a row for each component with its most urgent counter. */
function componentTable(components: readonly ComponentUsage[]): ReportTable {
  return {
    kind: 'table',
    title: null,
    columns: [
      { title: 'No.', share: 6, isNumber: true },
      { title: 'Component', share: 28 },
      { title: 'Highest use', share: 30 },
      { title: 'State', share: 19 },
      { title: 'Reaches limit about', share: 17 },
    ],
    rows: components.map((component, place) => {
      const { name, module } = splitComponentName(component.componentName)
      const worst = worstMetric(component)
      return [
        { text: `${place + 1}` },
        { text: name, note: module },
        worst === undefined ? { text: 'No counters' } : { text: usageAmount(worst), note: worst.metric },
        worst === undefined
          ? { text: '–' }
          : { text: judgementLabel(worst), mark: { kind: 'usage', usage: worst.usageColor } },
        { text: formatInstrumentDate(worst?.forecastDate ?? null) },
      ]
    }),
    empty: '',
  }
}

/** Returns the facts about an instrument. Unknown values keep their place, so that the reader can ask for them. */
function customerFacts(instrument: Instrument): ReportFact[] {
  const address = addressLines({
    street: instrument.instrumentStreetAddress,
    zip: instrument.instrumentZipCode,
    city: instrument.instrumentCity,
    country: instrument.instrumentCountry,
  })
  const phone = (number: string | null) => phoneText(number, instrument.instrumentCountry)
  return [
    fact('Customer', instrument.instrumentCustomer),
    fact('Contact', instrument.instrumentContactName),
    fact('Address', address.join(', ')),
    fact('Phone', phone(instrument.instrumentContactPhone)),
    fact('Region', joined([instrument.instrumentRegion, instrument.instrumentSubRegion])),
    fact('Mobile', phone(instrument.instrumentContactMobile)),
    fact('Building', instrument.instrumentDefinedBuilding),
    fact('E-mail', instrument.instrumentContactEmail),
    fact('Room', instrument.instrumentDefinedRoom),
    fact('IT contact', joined([instrument.itContactName, instrument.itContactEmail])),
  ]
}

function systemFacts({ instrument, types }: ReportSource): ReportFact[] {
  return [
    fact('Product', instrument.instrumentProductDescription),
    fact('Installed product ID', instrument.instrumentInstalledProductId),
    fact('System name', instrument.instrumentDefinedSystemName),
    fact('Instrument type', typeLabel(types, instrument.instrumentType)),
    fact('Qualified system', instrument.qualifiedSystem ? 'Yes' : 'No'),
    fact('Installed on', day(instrument.instrumentInstallationDate)),
    fact('ORC status', joined([instrument.orcStatus, statusText(instrument)])),
    fact('Added to ORC', day(instrument.connectedAt)),
    fact('Contract', joined([instrument.instrumentContractType, instrument.instrumentContractSlaTerm])),
    fact('Contract end', day(instrument.instrumentContractEndDate)),
    fact('Last service', day(instrument.instrumentLastService)),
    fact('Next service', day(instrument.instrumentNextService)),
    fact('UNICORN', joined([instrument.unicornVersion, instrument.unicornServicePack])),
    fact('Windows', instrument.unicornWinOs),
    fact('UNICORN PC', instrument.unicornPcName),
    fact('Embedded PC', joined([instrument.unicornEmbeddedPcType, instrument.unicornEmbeddedPcDomain])),
    fact('Configuration', instrument.unicornInstalledConfigFile),
    fact('Gateway', instrument.gatewayName),
    ...networkFacts(instrument.unicornNetworkConfigurations),
  ]
}

/** The status behind a silent gateway is the last one that it reported. */
function statusText({ orcStatus, instrumentStatus }: Instrument): string {
  return isMonitored(orcStatus) ? instrumentStatus : monitoringUnavailable(instrumentStatus)
}

function networkFacts(text: string | null): ReportFact[] {
  const read = readNetworkConfigurations(text)
  if (read.kind === 'none') return []
  if (read.kind === 'unreadable') return [fact('Network', read.text)]
  return read.networks.map(({ name, ip, dhcpEnabled }) => {
    const addressing = dhcpEnabled === null ? null : dhcpEnabled ? 'by DHCP' : 'fixed'
    return fact(networkLabel(name), joined([ip, addressing]))
  })
}

/** Returns e.g. `Network Ethernet`, without repeating 'network' if the name contains it. */
function networkLabel(name: string | null): string {
  if (name === null) return 'Network'
  return /network/i.test(name) ? name : `Network ${name}`
}

function fact(name: string, value: string | null): ReportFact {
  return { name, value: value === '' || value === '–' ? null : value }
}

function day(date: string | null): string | null {
  return date === null ? null : formatInstrumentDate(date)
}

function joined(parts: (string | null)[]): string {
  return parts.filter(Boolean).join(' · ')
}
