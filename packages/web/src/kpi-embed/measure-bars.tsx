import { formatInstrumentDate, formatInstrumentTime } from '../lib/time/dates.ts'
import { formatSpan } from '../lib/time/duration.ts'
import styles from './bar-rows.module.css'
import { type Fill, filled, Legend, severityLegend } from './severity-fill.tsx'
import { count, counted, percent, type TableRow } from './table-rows.ts'

/** A row of a horizontal bar chart. */

interface BarRow {
  key: string
  name: string
  /** Second line below the name. */
  note?: string
  /** Segments from left to right; those with value 0 are not drawn. */
  parts: readonly { fill: Fill; value: number }[]
  /** Text after the bar. */
  value: string
  /** Text below the value. */
  aside?: string | undefined
  /** The whole row as a sentence, shown on hover. */
  summary: string
}

const BAR_HEIGHT = 14

/** Returns the share of time that a gateway was online. */
export function gatewayBar(row: TableRow) {
  const uptime = row.numberOrNull('uptime')
  const silences = row.number('silences')
  const longest = row.numberOrNull('longest')
  const since = row.text('silentSince')
  const outages =
    longest === null ? 'Never offline' : `${counted(silences, 'outage')}, the longest ${formatSpan(longest)}`
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
    aside: since === '' ? counted(silences, 'outage') : 'offline now',
    summary: `${row.text('gateway')}, ${row.text('site')}: ${outages}${since === '' ? '' : `; offline since ${formatInstrumentTime(since)}`}`,
  }
}

/** Returns how much of its limit a component has used. */
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
    summary: `${row.text('instrument')}, ${row.text('customer')}, ${part}: ${percent(used)} used. ${when}`,
  }
}

/** Draws one bar per row. Without `most`, the longest bar takes the full width. */
export function Bars(props: {
  label: string
  rows: readonly TableRow[]
  most?: number
  bar: (row: TableRow) => Omit<BarRow, 'key'>
}) {
  // Names repeat, e.g. the same component on two instruments.
  const bars = props.rows.map((row, index) => ({ key: `${index}`, ...props.bar(row) }))
  const lengths = bars.map(({ parts }) => parts.reduce((sum, { value }) => sum + value, 0))
  return <BarRows label={props.label} rows={bars} most={props.most ?? Math.max(0, ...lengths)} />
}

/** Draws event counts as bars stacked by severity. */
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
            summary: `${name(row)}: ${counted(row.number('total'), 'event')}. High ${high}, medium ${medium}, low ${low}`,
          }
        }}
      />
    </>
  )
}

/** Draws horizontal bars between names and values. `most` is the value of a full-width bar. */
function BarRows(props: { label: string; rows: readonly BarRow[]; most: number }) {
  const { rows, most } = props
  return (
    <ol className={styles.rows} aria-label={props.label}>
      {rows.map(({ key, name, note, parts, value, aside, summary }) => (
        <li key={key} title={summary}>
          <span className={styles.name}>
            <bdi>{name}</bdi>
            {note !== undefined && (
              <span className={styles.note}>
                <bdi>{note}</bdi>
              </span>
            )}
          </span>
          <Bar parts={parts} most={most} />
          <span className={styles.value}>
            {value}
            {aside !== undefined && <span className={styles.note}>{aside}</span>}
          </span>
        </li>
      ))}
    </ol>
  )
}

function Bar({ parts, most }: { parts: BarRow['parts']; most: number }) {
  return (
    <svg className={styles.bar} height={BAR_HEIGHT} aria-hidden="true">
      <rect className={styles.ground} width="100%" height={BAR_HEIGHT} rx="3" />
      {placesOf(parts, most).map(({ fill, left, width }) => (
        <rect
          key={fill}
          y="0.5"
          height={BAR_HEIGHT - 1}
          rx="2.5"
          // A segment stays visible, however small its share is.
          style={{ x: `${left}%`, width: `max(3px, ${width}%)` }}
          {...filled(fill)}
        />
      ))}
    </svg>
  )
}

/** Returns where each segment begins and how wide it is, in percent of the full width. */
function placesOf(parts: BarRow['parts'], most: number): { fill: Fill; left: number; width: number }[] {
  const percentOf = (value: number) => (most === 0 ? 0 : (value / most) * 100)
  return parts.flatMap(({ fill, value }, index) => {
    if (value === 0) return []
    const before = parts.slice(0, index).reduce((sum, part) => sum + part.value, 0)
    return [{ fill, left: percentOf(before), width: percentOf(value) }]
  })
}
