import { Group, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import type { ReactNode, SVGProps } from 'react'
import { formatInstrumentDate, formatInstrumentTime } from '../lib/time/dates.ts'
import { formatSpan } from '../lib/time/duration.ts'
import styles from './kpi.module.css'
import { count, counted, percent, type TableRow } from './table-rows.ts'

/** Charts with a row for each name: bars stacked from segments, and times on a common axis. */

/** Fills: flat colours on the screen. In print and with more contrast, stripes distinguish them in greyscale as well. */
const fills = {
  high: { fill: 'var(--bw-high)' },
  medium: { fill: 'url(#medium-stripes)' },
  low: { fill: 'var(--bw-low)' },
  accent: { fill: 'var(--bw-accent)' },
  rest: { fill: 'color-mix(in srgb, var(--bw-accent) 30%, var(--bw-panel))' },
  missed: { fill: 'url(#high-stripes)' },
  running: { fill: 'var(--bw-panel)', stroke: 'var(--bw-ink-3)', strokeDasharray: '3 2' },
} satisfies Record<string, SVGProps<SVGElement>>

export type Fill = keyof typeof fills

/** Returns the properties that fill a shape of a chart. */
export function filled(fill: Fill): { fill: string; stroke?: string; strokeDasharray?: string } {
  return fills[fill]
}

/** Defines the stripes once per page. */
export function FillPatterns() {
  return (
    <svg style={{ position: 'absolute' }} width="0" height="0" aria-hidden="true">
      {(['medium', 'high'] as const).map((severity) => (
        <pattern
          key={severity}
          id={`${severity}-stripes`}
          width="5"
          height="5"
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <rect width="5" height="5" fill={`var(--bw-${severity})`} />
          <path className={styles.stripe} d="M0 0V5" stroke="var(--bw-panel)" strokeWidth="2.4" />
        </pattern>
      ))}
    </svg>
  )
}

const severities = { high: 'High', medium: 'Medium', low: 'Low' }

/** Explains fills, or other marks as `children`, in drawing order. By default those of the severities. */
export function Legend({
  items = severities,
  children,
}: {
  items?: Partial<Record<Fill, string>>
  children?: ReactNode
}) {
  return (
    <Group
      component="ul"
      aria-label="Legend"
      gap="2px 16px"
      m={0}
      mb={8}
      p={0}
      fz="xs"
      c="dimmed"
      style={{ listStyle: 'none' }}
    >
      {(Object.keys(fills) as Fill[]).map(
        (fill) =>
          items[fill] !== undefined && (
            <Group component="li" key={fill} gap={6}>
              <svg width="13" height="13" aria-hidden="true">
                <rect x="0.5" y="0.5" width="12" height="12" rx="3" {...filled(fill)} />
              </svg>
              {items[fill]}
            </Group>
          ),
      )}
      {children}
    </Group>
  )
}

interface Row {
  name: string
  /** Second line below the name. */
  note?: string | undefined
  picture: ReactNode
  value: ReactNode
  /** The whole row as a sentence, shown on hover. */
  summary: string
  /** Shows the events that the row counts. */
  onPress?: (() => void) | undefined
}

/** Returns what a press on a row does; undefined if there is nothing to show. */
export type Opener = (row: TableRow) => (() => void) | undefined

function Rows({ label, head, rows }: { label: string; head?: ReactNode; rows: readonly Row[] }) {
  return (
    <ol className={styles.rows} aria-label={label}>
      {head}
      {rows.map(({ name, note, picture, value, summary, onPress }, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: names repeat, e.g. the same component on two instruments.
        <li key={row} title={summary} className={onPress && styles.pressable}>
          <Text span inherit style={{ overflowWrap: 'anywhere' }}>
            {onPress === undefined ? (
              <bdi>{name}</bdi>
            ) : (
              <UnstyledButton fz="inherit" onClick={onPress}>
                <bdi>{name}</bdi>
              </UnstyledButton>
            )}
            {note !== undefined && (
              <Text span display="block" size="xs" c="dimmed">
                <bdi>{note}</bdi>
              </Text>
            )}
          </Text>
          {picture}
          <span className={styles.value}>{value}</span>
        </li>
      ))}
    </ol>
  )
}

interface BarRow extends Omit<Row, 'picture' | 'value' | 'onPress'> {
  /** Segments from left to right; those with value 0 are not drawn. */
  parts: readonly { fill: Fill; value: number }[]
  /** Text after the bar. */
  value: string
  /** Text below the value. */
  aside?: string | undefined
}

/** Returns the share of time that a gateway was online. */
export function gatewayBar(row: TableRow): BarRow {
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
            { fill: 'accent', value: uptime },
            { fill: 'missed', value: 1 - uptime },
          ],
    value: uptime === null ? '–' : percent(uptime),
    aside: since === '' ? counted(silences, 'outage') : 'offline now',
    summary: `${row.text('gateway')}, ${row.text('site')}: ${outages}${since === '' ? '' : `; offline since ${formatInstrumentTime(since)}`}`,
  }
}

/** Returns how much of its limit a component has used. */
export function usageBar(row: TableRow): BarRow {
  const used = row.number('used')
  const due = row.text('due')
  const when = due === '' ? row.text('state') : `Due ${formatInstrumentDate(due)}`
  const part = `${row.text('component')}, ${row.text('metric')}`
  return {
    name: row.text('name'),
    note: part,
    parts: [
      { fill: 'accent', value: Math.min(1, used) },
      { fill: 'missed', value: Math.max(0, used - 1) },
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
  bar: (row: TableRow) => BarRow
  opener?: Opener
}) {
  const bars = props.rows.map(props.bar)
  const lengths = bars.map(({ parts }) => parts.reduce((sum, { value }) => sum + value, 0))
  const most = props.most ?? Math.max(0, ...lengths)
  return (
    <Rows
      label={props.label}
      rows={bars.map(({ parts, value, aside, ...row }, at) => ({
        ...row,
        onPress: props.rows[at] && props.opener?.(props.rows[at]),
        picture: <Bar parts={parts} most={most} />,
        value: (
          <>
            {value}
            {aside !== undefined && (
              <Text span display="block" size="xs" c="dimmed">
                {aside}
              </Text>
            )}
          </>
        ),
      }))}
    />
  )
}

/** Draws event counts as bars stacked by severity. */
export function SeverityBars(props: {
  label: string
  rows: readonly TableRow[]
  name: (row: TableRow) => string
  aside?: (row: TableRow) => string
  opener: Opener
}) {
  const { label, rows, name, aside, opener } = props
  return (
    <>
      <Legend />
      <Bars
        label={label}
        rows={rows}
        opener={opener}
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

const BAR_HEIGHT = 14

function Bar({ parts, most }: { parts: BarRow['parts']; most: number }) {
  const percentOf = (value: number) => (most === 0 ? 0 : (value / most) * 100)
  return (
    <svg className={styles.picture} height={BAR_HEIGHT} aria-hidden="true">
      <rect width="100%" height={BAR_HEIGHT} rx="3" fill="var(--bw-line-faint)" />
      {parts.map(({ fill, value }, index) => {
        const before = parts.slice(0, index).reduce((sum, part) => sum + part.value, 0)
        // A segment stays visible, however small its share is.
        const place = { x: `${percentOf(before)}%`, width: `max(3px, ${percentOf(value)}%)` }
        return value > 0 && <rect key={fill} y="0.5" height={BAR_HEIGHT - 1} rx="2.5" style={place} {...filled(fill)} />
      })}
    </svg>
  )
}

/** Durations from minutes to months on one logarithmic axis, so that short and long ones can both be read. */
const MINUTE = 60

const HOUR = 60 * MINUTE

const DAY = 24 * HOUR

/** Durations with a grid line and a label. */
const marks = [
  { seconds: MINUTE, label: '1 min' },
  { seconds: 10 * MINUTE, label: '10 min' },
  { seconds: HOUR, label: '1 h' },
  { seconds: 6 * HOUR, label: '6 h' },
  { seconds: DAY, label: '1 day' },
  { seconds: 7 * DAY, label: '7 days' },
  { seconds: 30 * DAY, label: '30 days' },
  { seconds: 180 * DAY, label: '180 days' },
  { seconds: 720 * DAY, label: '720 days' },
] as const

interface TimeAxis {
  ticks: { label: string; place: number }[]
  /** Position of a duration, from 0 to 1; values outside the axis are clamped. */
  place: (seconds: number) => number
}

const steps = [
  { step: 'acknowledge', done: 'acknowledged', name: 'To acknowledge' },
  { step: 'close', done: 'closed', name: 'To close' },
] as const
type Step = (typeof steps)[number]['step']

const colours: Record<Step, string> = { acknowledge: 'var(--bw-accent)', close: 'var(--bw-progress)' }
const ROW_HEIGHT = 36

/** Charts the median (mark) and 90th percentile (end of the line) of the times to acknowledge and to close events. */
export function TimesChart(props: {
  label: string
  rows: readonly TableRow[]
  subject: 'owner' | 'customer'
  opener?: Opener
}) {
  const { rows, subject } = props
  const times = rows.flatMap((row) =>
    steps.flatMap(({ step }) => [row.numberOrNull(`${step}Median`), row.numberOrNull(`${step}P90`)]),
  )
  const axis = timeAxis(times.filter((time) => time !== null))
  return (
    <>
      <Legend items={{}}>
        {steps.map(({ step, name }) => (
          <Group component="li" key={step} gap={6}>
            <svg width="34" height="12" aria-hidden="true">
              <Range step={step} median={0.2} p90={0.9} y={6} />
            </svg>
            {name}
          </Group>
        ))}
        <li>Dot: median. Line end: 90th percentile.</li>
      </Legend>
      <Rows
        label={props.label}
        head={
          <li aria-hidden="true">
            <svg className={styles.picture} height="14">
              {axis.ticks.map(({ label, place }) => (
                <text
                  key={label}
                  x={`${place * 100}%`}
                  y="11"
                  // At the edges inwards: on a phone the picture is as wide as its card.
                  textAnchor={place === 0 ? 'start' : place === 1 ? 'end' : 'middle'}
                >
                  {label}
                </text>
              ))}
            </svg>
            <Text span className={styles.value} fz={11} c="var(--bw-ink-3)">
              Median
            </Text>
          </li>
        }
        rows={rows.map((row) => ({
          name: row.text(subject),
          note: counted(row.number('events'), 'event'),
          picture: <Ranges row={row} axis={axis} />,
          value: steps.map(({ step, name }) => (
            <Text key={step} span display="block" size="xs">
              <VisuallyHidden>{name}: </VisuallyHidden>
              {medianLabel(row, step)}
            </Text>
          )),
          summary: formatRow(row, subject),
          onPress: props.opener?.(row),
        }))}
      />
    </>
  )
}

function Ranges({ row, axis }: { row: TableRow; axis: TimeAxis }) {
  return (
    <svg className={styles.picture} height={ROW_HEIGHT} aria-hidden="true">
      {axis.ticks.map(({ label, place }) => (
        <line key={label} x1={`${place * 100}%`} x2={`${place * 100}%`} y2={ROW_HEIGHT} stroke="var(--bw-line-faint)" />
      ))}
      {steps.map(({ step }, index) => {
        const [median, p90] = [row.numberOrNull(`${step}Median`), row.numberOrNull(`${step}P90`)]
        if (median === null || p90 === null) return null
        const y = ROW_HEIGHT * (index === 0 ? 0.28 : 0.72)
        return <Range key={step} step={step} median={axis.place(median)} p90={axis.place(p90)} y={y} />
      })}
    </svg>
  )
}

/** Draws a disc or diamond at the median and a line to the 90th percentile. Positions are from 0 to 1. */
function Range(props: { step: Step; median: number; p90: number; y: number }) {
  const { step, y } = props
  const [median, p90] = [`${props.median * 100}%`, `${props.p90 * 100}%`]
  return (
    <g fill={colours[step]} stroke={colours[step]} strokeWidth="2">
      <line x1={median} x2={p90} y1={y} y2={y} />
      <line x1={p90} x2={p90} y1={y - 4} y2={y + 4} />
      <svg x={median} y={y} overflow="visible">
        <path d={step === 'acknowledge' ? 'M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0Z' : 'M0-6L6 0 0 6-6 0Z'} />
      </svg>
    </g>
  )
}

function medianLabel(row: TableRow, step: Step): string {
  const median = row.numberOrNull(`${step}Median`)
  return median === null ? '–' : formatSpan(median)
}

/** Formats a row, e.g. 'Ada: 12 events. To acknowledge: median 1 h, 90% within 4 h (12). To close: …'. */
function formatRow(row: TableRow, subject: string): string {
  const sentences = steps.map(({ step, done, name }) => {
    const [median, p90] = [row.numberOrNull(`${step}Median`), row.numberOrNull(`${step}P90`)]
    if (median === null || p90 === null) return `${name}: none ${done} yet.`
    return `${name}: median ${formatSpan(median)}, 90% within ${formatSpan(p90)} (${row.number(done)} ${done}).`
  })
  return [`${row.text(subject)}: ${counted(row.number('events'), 'event')}.`, ...sentences].join(' ')
}

/** Returns an axis from the mark below the shortest of these times to the mark above the longest. */
export function timeAxis(times: readonly number[]): TimeAxis {
  const [shortest, longest] = times.length === 0 ? [HOUR, DAY] : [Math.min(...times), Math.max(...times)]
  const first = Math.max(
    0,
    marks.findLastIndex(({ seconds }) => seconds <= shortest),
  )
  const above = marks.findIndex(({ seconds }) => seconds >= longest)
  const last = Math.max(first + 1, above === -1 ? marks.length - 1 : above)
  const shown = marks.slice(first, last + 1)
  const [least, most] = [Math.log(marks[first]?.seconds ?? 1), Math.log(shown.at(-1)?.seconds ?? 2)]
  const place = (seconds: number) => Math.min(1, Math.max(0, (Math.log(Math.max(1, seconds)) - least) / (most - least)))
  return { ticks: shown.map(({ label, seconds }) => ({ label, place: place(seconds) })), place }
}
