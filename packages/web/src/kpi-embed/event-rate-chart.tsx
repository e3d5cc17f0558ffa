import { useElementSize } from '@mantine/hooks'
import { useState } from 'react'
import { ChartReader } from '../ui/chart-reader.tsx'
import styles from './event-rate-chart.module.css'
import { columnLabels, columnWords, type RateColumn, rateColumns, ticksTo } from './rate-columns.ts'
import { filled, Legend, severityLegend } from './severity-fill.tsx'
import { count, type TableRow } from './table-rows.ts'

const HEIGHT = 210
/** Before the first measurement. */
const USUAL_WIDTH = 900
const LABEL_WIDTH = 64

/** Events of each day or week, stacked by severity, with what is pointed at in words below. */
export function EventRateChart({ rows }: { rows: readonly TableRow[] }) {
  const { ref, width: measured } = useElementSize()
  const [at, setAt] = useState<number | null>(null)
  const { columns, isByWeek } = rateColumns(rows)
  const width = Math.max(120, measured || USUAL_WIDTH)
  const ticks = ticksTo(Math.max(0, ...columns.map(({ total }) => total)))
  const top = ticks.at(-1) ?? 1
  const stride = width / Math.max(1, columns.length)
  const last = columns.length - 1
  const read = columns[at ?? last] ?? columns[last]
  const words = read === undefined ? '' : columnWords(read, isByWeek)

  return (
    <div>
      <div className={styles.head}>
        <Legend items={severityLegend} />
        <span className={styles.unit}>Events per {isByWeek ? 'week' : 'day'}</span>
      </div>
      <div className={styles.chart}>
        <div className={styles.ticks} style={{ height: HEIGHT }} aria-hidden="true">
          <span className={styles.widest}>{count(top)}</span>
          {ticks.map((tick) => (
            <span key={tick} style={{ bottom: (tick / top) * HEIGHT }}>
              {count(tick)}
            </span>
          ))}
        </div>
        <div ref={ref} className={styles.plot}>
          <ChartReader
            label={`Events per ${isByWeek ? 'week' : 'day'}`}
            count={columns.length}
            start={last}
            at={at}
            words={words}
            onRead={setAt}
          >
            <svg
              className={styles.drawing}
              viewBox={`0 0 ${width} ${HEIGHT}`}
              height={HEIGHT}
              preserveAspectRatio="none"
              aria-hidden="true"
            >
              {ticks.map((tick) => (
                <path
                  key={tick}
                  className={tick === 0 ? styles.ground : styles.grid}
                  d={`M0 ${HEIGHT - (tick / top) * HEIGHT}H${width}`}
                />
              ))}
              {at !== null && (
                <rect className={styles.cursor} x={at * stride} width={Math.max(1, stride)} y={0} height={HEIGHT} />
              )}
              {columns.map((column, index) => (
                <Stack key={column.day} column={column} x={index * stride} stride={stride} scale={HEIGHT / top} />
              ))}
            </svg>
          </ChartReader>
          <div className={styles.labels} aria-hidden="true">
            {columnLabels(columns, Math.floor(width / LABEL_WIDTH)).map(({ day, text, index }) => (
              <span key={day} style={{ left: `clamp(20px, ${((index + 0.5) / columns.length) * 100}%, 100% - 20px)` }}>
                {text}
              </span>
            ))}
          </div>
          <p className={styles.reading} aria-hidden="true">
            {words}
          </p>
        </div>
      </div>
    </div>
  )
}

/** High stands on the ground, where heights compare best. */
const stacked = ['high', 'medium', 'low'] as const

function Stack(props: { column: RateColumn; x: number; stride: number; scale: number }) {
  const { column, x, stride, scale } = props
  const width = Math.min(stride * 0.74, 44)
  const left = x + (stride - width) / 2
  let ground = HEIGHT
  return stacked.map((severity) => {
    const height = column[severity] * scale
    if (height === 0) return null
    ground -= height
    // Half a pixel within, because an outline is drawn on both sides of its edge.
    return (
      <rect
        key={severity}
        x={left + 0.5}
        width={Math.max(1, width - 1)}
        y={ground + 0.5}
        height={Math.max(0.5, height - 1)}
        {...filled(severity)}
      />
    )
  })
}
