import { formatInstrumentDate, formatInstrumentTime } from '../lib/time/dates.ts'
import { formatSpan } from '../lib/time/duration.ts'
import styles from './bar-rows.module.css'
import { type Fill, filled, Legend, severityLegend } from './severity-fill.tsx'
import { count, counted, percent, type TableRow } from './table-rows.ts'

/** Rows of measures as horizontal bars. */

interface BarRow {
  key: string
  name: string
  /** A second line below the name. */
  note?: string
  /** Parts of its bar from left to right; values of 0 are not drawn. */
  parts: readonly { fill: Fill; value: number }[]
  /** Behind the bar: what its length says. */
  value: string
  /** Below the value. */
  aside?: string | undefined
  /** The whole of it in words, told by the pointer resting on the row. */
  words: string
}

const BAR_HEIGHT = 14

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

/** Horizontal bars with a name before and a value behind each. `most` is what a whole bar stands for. */
function BarRows(props: { label: string; rows: readonly BarRow[]; most: number }) {
  const { rows, most } = props
  return (
    <ol className={styles.rows} aria-label={props.label}>
      {rows.map(({ key, name, note, parts, value, aside, words }) => (
        <li key={key} title={words}>
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
          // A part is seen, however small it is.
          style={{ x: `${left}%`, width: `max(3px, ${width}%)` }}
          {...filled(fill)}
        />
      ))}
    </svg>
  )
}

/** Where each part begins and how wide it is, in percent of the whole bar. */
function placesOf(parts: BarRow['parts'], most: number): { fill: Fill; left: number; width: number }[] {
  const percentOf = (value: number) => (most === 0 ? 0 : (value / most) * 100)
  return parts.flatMap(({ fill, value }, index) => {
    if (value === 0) return []
    const before = parts.slice(0, index).reduce((sum, part) => sum + part.value, 0)
    return [{ fill, left: percentOf(before), width: percentOf(value) }]
  })
}
