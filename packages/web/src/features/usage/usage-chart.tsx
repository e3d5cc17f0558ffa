import type { ReactNode, Ref } from 'react'
import { ChartReader } from '../../ui/charts/chart-reader.tsx'
import type { Plot } from './runtime/runtime-axis.ts'
import styles from './usage-chart.module.css'

/** What stands around a drawing of days: its scale on the left, days and what is read below. Lengths are in px. */
export function UsageChart(props: {
  label: string
  plot: Plot
  /** Gets the element whose width is that of the plot. */
  plotRef: Ref<HTMLDivElement>
  /** Above the plot, for what is written over its upper edge. */
  room: number
  scaleWidth: number
  scale: readonly { value: number; text: string; top: number }[]
  days: readonly { day: string; text: string; x: number }[]
  /** How near to either end the middle of a day's text may come. */
  dayMargin: number
  /** How many places are read, where the keyboard begins, which one is read, and what is read of it. */
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
