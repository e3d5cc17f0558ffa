import { formatSpan } from '../lib/duration.ts'
import { counted, type TableRow } from './table-rows.ts'
import { type TimeAxis, timeAxis } from './time-axis.ts'
import styles from './times-chart.module.css'

const steps = [
  { step: 'acknowledge', done: 'acknowledged', name: 'To acknowledge' },
  { step: 'close', done: 'closed', name: 'To close' },
] as const
type Step = (typeof steps)[number]['step']

/** Median and 90 % of how long it took to acknowledge and to close events: a mark, and a line to where nine of ten were done. */
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
        <li>Mark: median. End of the line: 90 %.</li>
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
          // Two people may have the same name.
          <li key={`${index} ${row.text(subject)}`} title={rowWords(row, subject)}>
            <span className={styles.name}>
              <bdi>{row.text(subject)}</bdi>
              <span className={styles.note}>{counted(row.number('events'), 'event')}</span>
            </span>
            <Ranges row={row} axis={axis} />
            <span className={styles.values}>
              {steps.map(({ step, name }) => (
                <span key={step}>
                  <span className={styles.hidden}>{name}: </span>
                  {medianWords(row, step)}
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

/** A disc or a lozenge at the median, and a line that ends at 90 %. Places from 0 to 1. */
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

function medianWords(row: TableRow, step: Step): string {
  const median = row.numberOrNull(`${step}Median`)
  return median === null ? '–' : formatSpan(median)
}

/** Ada: 12 events. To acknowledge: median 1 h, 90 % within 4 h (12). To close: … */
function rowWords(row: TableRow, subject: string): string {
  const told = steps.map(({ step, done, name }) => {
    const [median, p90] = [row.numberOrNull(`${step}Median`), row.numberOrNull(`${step}P90`)]
    if (median === null || p90 === null) return `${name}: none ${done} yet.`
    return `${name}: median ${formatSpan(median)}, 90 % within ${formatSpan(p90)} (${row.number(done)} ${done}).`
  })
  return [`${row.text(subject)}: ${counted(row.number('events'), 'event')}.`, ...told].join(' ')
}
