import type { ServiceEvent } from '@benchwatch/contract/service-events'
import { alertStatusLabels, severityLabels } from '@benchwatch/contract/vocabulary'
import { formatInstrumentDate } from '../../lib/dates.ts'
import { eventName } from '../../lib/event-name.ts'
import type { ReportCell, ReportSource, ReportTable } from './report-model.ts'

/** The two tables of events in a field engineer's report: what happens most, and what happened last. */

export function eventTables({ frequent, recent }: NonNullable<ReportSource['events']>): ReportTable[] {
  return [
    {
      kind: 'table',
      title: 'Most frequent events, last 6 months',
      columns: [
        { title: 'Times', share: 6, isNumber: true },
        { title: 'Event', share: 46 },
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
        description(event),
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

function severity(event: ServiceEvent): ReportCell {
  return { text: severityLabels[event.severity], mark: { kind: 'severity', severity: event.severity } }
}
