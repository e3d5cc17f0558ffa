import { formatInstrumentDate, formatInstrumentTime } from '../lib/dates.ts'
import { formatSpan } from '../lib/duration.ts'
import { type BarRow, BarRows } from './bar-rows.tsx'
import { Legend, severityLegend } from './severity-fill.tsx'
import { count, counted, percent, type TableRow } from './table-rows.ts'

/** Rows of measures as horizontal bars. */

/** In how much of its time a gateway was heard. */
export function gatewayBar(row: TableRow) {
  const uptime = row.numberOrNull('uptime')
  const silences = row.number('silences')
  const longest = row.numberOrNull('longest')
  const since = row.text('silentSince')
  const told = longest === null ? 'Never silent' : `${counted(silences, 'silence')}, the longest ${formatSpan(longest)}`
  return {
    name: row.text('gateway'),
    note: row.text('site'),
    parts:
      uptime === null
        ? []
        : [
            { fill: 'accent' as const, value: uptime },
            { fill: 'missed' as const, value: 1 - uptime },
          ],
    value: uptime === null ? '–' : percent(uptime),
    aside: since === '' ? counted(silences, 'silence') : 'silent now',
    words: `${row.text('gateway')}, ${row.text('site')}: ${told}${since === '' ? '' : `; silent since ${formatInstrumentTime(since)}`}`,
  }
}

/** How much of its limit a part has used. */
export function usageBar(row: TableRow) {
  const used = row.number('used')
  const due = row.text('due')
  const when = due === '' ? row.text('state') : `Due ${formatInstrumentDate(due)}`
  const part = `${row.text('component')}, ${row.text('metric')}`
  return {
    name: row.text('name'),
    note: part,
    parts: [
      { fill: 'accent' as const, value: Math.min(1, used) },
      { fill: 'missed' as const, value: Math.max(0, used - 1) },
    ],
    value: percent(used),
    aside: when,
    words: `${row.text('instrument')}, ${row.text('customer')}, ${part}: ${percent(used)} used. ${when}`,
  }
}

/** One bar for each row; without `most` the longest is a whole one. */
export function Bars(props: {
  label: string
  rows: readonly TableRow[]
  most?: number
  bar: (row: TableRow) => Omit<BarRow, 'key'>
}) {
  // Names repeat: the same part of two instruments, two customers of one instrument.
  const bars = props.rows.map((row, index) => ({ key: `${index}`, ...props.bar(row) }))
  const lengths = bars.map(({ parts }) => parts.reduce((sum, { value }) => sum + value, 0))
  return <BarRows label={props.label} rows={bars} most={props.most ?? Math.max(0, ...lengths)} />
}

/** Bars of events, stacked by severity. */
export function SeverityBars(props: {
  label: string
  rows: readonly TableRow[]
  name: (row: TableRow) => string
  aside?: (row: TableRow) => string
}) {
  const { label, rows, name, aside } = props
  return (
    <>
      <Legend items={severityLegend} />
      <Bars
        label={label}
        rows={rows}
        bar={(row) => {
          const [high, medium, low] = [row.number('high'), row.number('medium'), row.number('low')]
          return {
            name: name(row),
            parts: [
              { fill: 'high', value: high },
              { fill: 'medium', value: medium },
              { fill: 'low', value: low },
            ],
            value: count(row.number('total')),
            aside: aside?.(row),
            words: `${name(row)}: ${counted(row.number('total'), 'event')}. High ${high}, medium ${medium}, low ${low}`,
          }
        }}
      />
    </>
  )
}
