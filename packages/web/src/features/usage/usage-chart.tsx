import type { ReactNode, Ref } from 'react'
import { ChartReader } from '../../ui/charts/chart-reader.tsx'
import type { Plot } from './runtime/runtime-axis.ts'
import styles from './usage-chart.module.css'

/** The frame of a chart of days: scale on the left, days and read-out below. Lengths are in px. */
export function UsageChart(props: {
  label: string
  plot: Plot
  /** Receives the element whose width is that of the plot. */
  plotRef: Ref<HTMLDivElement>
  /** Space above the plot for text on its upper edge. */
  room: number
  scaleWidth: number
  scale: readonly { value: number; text: string; top: number }[]
  days: readonly { day: string; text: string; x: number }[]
  /** Minimum distance of the middle of a day's text from either end. */
  dayMargin: number
  /** Number of positions, position where the keyboard starts, current position, and its read-out. */
  count: number
  start: number
  at: number | null
  words: string
  onRead: (at: number | null) => void
  children: ReactNode
  legend?: ReactNode
}) {
  const { plot, dayMargin, words } = props
  return (
    <div className={styles.chart} style={{ paddingTop: props.room }}>
      <div className={styles.scale} style={{ width: props.scaleWidth, height: plot.height }} aria-hidden="true">
        {props.scale.map(({ value, text, top }) => (
          <span key={value} style={{ top }}>
            {text}
          </span>
        ))}
      </div>
      <div ref={props.plotRef} className={styles.plot}>
        <ChartReader
          label={props.label}
          count={props.count}
          start={props.start}
          at={props.at}
          summary={words}
          onRead={props.onRead}
        >
          {props.children}
        </ChartReader>
        <div className={styles.days} aria-hidden="true">
          {props.days.map(({ day, text, x }) => (
            <span key={day} style={{ left: `clamp(${dayMargin}px, ${x}px, ${plot.width - dayMargin}px)` }}>
              {text}
            </span>
          ))}
        </div>
      </div>
      <div className={styles.below}>
        <p className={styles.reading} aria-hidden="true">
          {words}
        </p>
        {props.legend}
      </div>
    </div>
  )
}
