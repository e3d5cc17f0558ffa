import { type KpiMeasure, kpiMeasureLabels } from '@benchwatch/contract/vocabulary'
import { lazy, type ReactNode } from 'react'
import { formatSpan } from '../lib/time/duration.ts'
import { Bars, gatewayBar, Legend, type Opener, SeverityBars, TimesChart, usageBar } from './chart-rows.tsx'
import { closedFor, contractsOf, createdOn, type EventsBehind, ofCustomer, openNow, searched } from './events-behind.ts'
import { count, counted, type KpiTableInputs, percent, type TableRow } from './table-rows.ts'

const EventRateChart = lazy(() => import('./event-rate-chart.tsx').then((file) => ({ default: file.EventRateChart })))

/** Defines how each measure is shown. Charts draw the first rows; tables show all. */

/** Lets a chart open events of its own choice. */
interface Shown {
  query: KpiTableInputs
  onEvents: (search: EventsBehind) => void
}

export interface PanelDefinition {
  measure: KpiMeasure
  isWide?: boolean
  /** True if the figures are of this moment: the file name then contains today's date. */
  isNow?: boolean
  /** Maximum number of rows in the chart; all if absent. */
  most?: number
  /** Text shown without data. */
  empty: string
  /** The events that a row counts. Without it, rows cannot be pressed. */
  behind?: (row: TableRow, query: KpiTableInputs) => EventsBehind | undefined
  chart: (rows: readonly TableRow[], opener: Opener, shown: Shown) => ReactNode
}

const MOST_BARS = 10
/** Each item takes two lines. */
const MOST_TIMES = 8

export const panels: readonly PanelDefinition[] = [
  {
    measure: 'event-rate',
    isWide: true,
    empty: 'No events in this period.',
    chart: (rows, _opener, { query, onEvents }) => (
      <EventRateChart rows={rows} onPress={({ day, days }) => onEvents(createdOn(query, day, days))} />
    ),
  },
  {
    measure: 'response-by-owner',
    most: MOST_TIMES,
    empty: 'No events in this period.',
    chart: (rows) => <TimesChart label={kpiMeasureLabels['response-by-owner']} rows={rows} subject="owner" />,
  },
  {
    measure: 'response-by-customer',
    most: MOST_TIMES,
    empty: 'No events in this period.',
    behind: ofCustomer,
    chart: (rows, opener) => (
      <TimesChart label={kpiMeasureLabels['response-by-customer']} rows={rows} subject="customer" opener={opener} />
    ),
  },
  {
    measure: 'open-by-age',
    isNow: true,
    empty: 'No open events.',
    behind: (row, query) => openNow(query, Date.now(), row.text('age')),
    chart: (rows, opener) => (
      <SeverityBars
        label={kpiMeasureLabels['open-by-age']}
        rows={rows}
        name={(row) => row.text('age')}
        opener={opener}
      />
    ),
  },
  {
    measure: 'close-reasons',
    most: MOST_BARS,
    empty: 'No events of this period are closed yet.',
    behind: closedFor,
    chart: (rows, opener) => (
      <Bars
        opener={opener}
        label={kpiMeasureLabels['close-reasons']}
        rows={rows}
        bar={(row) => ({
          name: row.text('reason'),
          parts: [{ fill: 'accent', value: row.number('events') }],
          value: count(row.number('events')),
          aside: percent(row.number('share')),
          summary: `${row.text('reason')}: ${counted(row.number('events'), 'event')}, ${percent(row.number('share'))}`,
        })}
      />
    ),
  },
  {
    measure: 'top-errors',
    most: MOST_BARS,
    empty: 'No events in this period.',
    chart: (rows) => (
      <Bars
        label={kpiMeasureLabels['top-errors']}
        rows={rows}
        bar={(row) => {
          const median = row.numberOrNull('closeMedian')
          const closed = median === null ? 'none closed yet' : `median to close ${formatSpan(median)}`
          return {
            name: row.text('description'),
            note: `${row.text('error')} · ${row.text('type')}`,
            parts: [{ fill: 'accent', value: row.number('events') }],
            value: count(row.number('events')),
            aside: percent(row.number('share')),
            summary: `${row.text('error')} on ${row.text('type')}, ${row.text('description')}: ${counted(row.number('events'), 'event')}, ${percent(row.number('share'))} of all, ${closed}`,
          }
        }}
      />
    ),
  },
  {
    measure: 'top-families',
    most: 12,
    empty: 'No events in this period.',
    chart: (rows, opener) => (
      <SeverityBars
        opener={opener}
        label={kpiMeasureLabels['top-families']}
        rows={rows}
        name={(row) => row.text('family')}
        aside={(row) => percent(row.number('share'))}
      />
    ),
  },
  {
    measure: 'noisiest-instruments',
    most: MOST_BARS,
    empty: 'No instrument raised an event in this period.',
    behind: searched('instrument'),
    chart: (rows, opener) => (
      <>
        <Legend items={{ high: 'High', rest: 'Medium and low' }} />
        <Bars
          opener={opener}
          label={kpiMeasureLabels['noisiest-instruments']}
          rows={rows}
          bar={(row) => {
            const [events, high] = [row.number('events'), row.number('high')]
            return {
              name: row.text('name'),
              note: `${row.text('instrument')} · ${row.text('customer')}`,
              parts: [
                { fill: 'high', value: high },
                { fill: 'rest', value: events - high },
              ],
              value: count(events),
              aside: `${count(row.number('open'))} open`,
              summary: `${row.text('instrument')}, ${row.text('customer')}: ${counted(events, 'event')}, ${high} high, ${row.number('open')} open, ${row.number('repeats')} repeats`,
            }
          }}
        />
      </>
    ),
  },
  {
    measure: 'sla',
    most: MOST_BARS,
    empty: 'No events under a 24-hour contract in this period.',
    behind: (row, query) => contractsOf(query, row.text('customer')),
    chart: (rows, opener) => (
      <>
        <Legend items={{ accent: 'Met', missed: 'Missed', running: 'Running' }} />
        <Bars
          opener={opener}
          label={kpiMeasureLabels.sla}
          rows={rows}
          most={1}
          bar={(row) => {
            const [kept, missed, running] = [row.number('kept'), row.number('missed'), row.number('running')]
            const events = row.number('events')
            const share = row.numberOrNull('share')
            const part = (value: number) => value / Math.max(1, events)
            return {
              name: row.text('customer'),
              note: `${counted(missed, 'event')} of ${count(events)} missed`,
              parts: [
                { fill: 'accent', value: part(kept) },
                { fill: 'missed', value: part(missed) },
                { fill: 'running', value: part(running) },
              ],
              value: share === null ? '–' : percent(share),
              aside: 'met',
              summary: `${row.text('customer')}: ${kept} met, ${missed} missed, ${running} running of ${counted(events, 'event')}`,
            }
          }}
        />
      </>
    ),
  },
  {
    measure: 'gateway-uptime',
    most: MOST_BARS,
    empty: 'No gateway has reported yet.',
    chart: (rows) => (
      <>
        <Legend items={{ accent: 'Online', missed: 'Offline' }} />
        <Bars label={kpiMeasureLabels['gateway-uptime']} rows={rows} most={1} bar={gatewayBar} />
      </>
    ),
  },
  {
    measure: 'usage-due',
    isNow: true,
    most: MOST_BARS,
    // Nothing is due, or a flag hides it; the note says which.
    empty: 'Nothing to show.',
    chart: (rows) => (
      <>
        <Legend items={{ accent: 'Used', missed: 'Over the limit' }} />
        <Bars label={kpiMeasureLabels['usage-due']} rows={rows} bar={usageBar} />
      </>
    ),
  },
]
