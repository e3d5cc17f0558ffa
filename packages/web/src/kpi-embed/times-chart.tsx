import { formatSpan } from '../lib/time/duration.ts'
import { counted, type TableRow } from './table-rows.ts'
import styles from './times-chart.module.css'

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

/** Charts the median (mark) and 90th percentile (end of the line) of the times to acknowledge and to close events. */
export function TimesChart(props: { label: string; rows: readonly TableRow[]; subject: 'owner' | 'customer' }) {
  const { rows, subject } = props
  const times = rows.flatMap((row) =>
    steps.flatMap(({ step }) => [row.numberOrNull(`${step}Median`), row.numberOrNull(`${step}P90`)]),
  )
  const axis = timeAxis(times.filter((time) => time !== null))
  return (
    <div>
      <ul className={styles.legend} aria-label="Legend">
        {steps.map(({ step, name }) => (
          <li key={step}>
            <svg width="34" height="12" aria-hidden="true">
              <Range step={step} median={0.2} p90={0.9} y={6} />
            </svg>
            {name}
          </li>
        ))}
        <li>Dot: median. Line end: 90th percentile.</li>
      </ul>
      <ol className={styles.rows} aria-label={props.label}>
        <li className={styles.axis} aria-hidden="true">
          <span className={styles.ticks}>
            {axis.ticks.map(({ label, place }) => (
              <span key={label} style={{ left: `${place * 100}%` }}>
                {label}
              </span>
            ))}
          </span>
          <span className={styles.unit}>Median</span>
        </li>
        {rows.map((row, index) => (
          // Two users may have the same name.
          <li key={`${index} ${row.text(subject)}`} title={formatRow(row, subject)}>
            <span className={styles.name}>
              <bdi>{row.text(subject)}</bdi>
              <span className={styles.note}>{counted(row.number('events'), 'event')}</span>
            </span>
            <Ranges row={row} axis={axis} />
            <span className={styles.values}>
              {steps.map(({ step, name }) => (
                <span key={step}>
                  <span className={styles.hidden}>{name}: </span>
                  {medianLabel(row, step)}
                </span>
              ))}
            </span>
          </li>
        ))}
      </ol>
    </div>
  )
}

const ROW_HEIGHT = 36

function Ranges({ row, axis }: { row: TableRow; axis: TimeAxis }) {
  return (
    <svg className={styles.ranges} height={ROW_HEIGHT} aria-hidden="true">
      {axis.ticks.map(({ label, place }) => (
        <line
          key={label}
          className={styles.grid}
          x1={`${place * 100}%`}
          x2={`${place * 100}%`}
          y1="0"
          y2={ROW_HEIGHT}
        />
      ))}
      {steps.map(({ step }, index) => {
        const [median, p90] = [row.numberOrNull(`${step}Median`), row.numberOrNull(`${step}P90`)]
        if (median === null || p90 === null) return null
        return (
          <Range
            key={step}
            step={step}
            median={axis.place(median)}
            p90={axis.place(p90)}
            y={ROW_HEIGHT * (index === 0 ? 0.28 : 0.72)}
          />
        )
      })}
    </svg>
  )
}

/** Draws a disc or diamond at the median and a line to the 90th percentile. Positions are from 0 to 1. */
function Range(props: { step: Step; median: number; p90: number; y: number }) {
  const { step, y } = props
  const [median, p90] = [`${props.median * 100}%`, `${props.p90 * 100}%`]
  return (
    <g className={styles[step]}>
      <line x1={median} x2={p90} y1={y} y2={y} />
      <line x1={p90} x2={p90} y1={y - 4} y2={y + 4} />
      {step === 'acknowledge' ? (
        <circle cx={median} cy={y} r="5" />
      ) : (
        <svg x={median} y={y} overflow="visible">
          <path d="M0-6L6 0 0 6-6 0Z" />
        </svg>
      )}
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
