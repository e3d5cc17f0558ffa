import { useElementSize } from '@mantine/hooks'
import type { ComponentProps, ReactNode } from 'react'
import {
  Area,
  Bar,
  CartesianGrid,
  ComposedChart,
  Line,
  ReferenceArea,
  ReferenceDot,
  ReferenceLine,
  XAxis,
  YAxis,
} from 'recharts'
import { usePrinting } from '../use-printing.ts'
import styles from './chart-reader.module.css'
import { ChartReader } from './chart-reader.tsx'

/**
 * The one place that knows the chart library. Its 102 kB load with a chart: import files that use this one lazily.
 * Positions are whole numbers from 0, as far apart as the plot allows; each takes half a step to either side.
 */

/** Width before the first measurement and in environments without layout. */
const USUAL_WIDTH = 600
/** Width in print, stretched to the paper: texts stay readable however wide the screen is. */
const PAPER_WIDTH = 720
const NAMES_HEIGHT = 24
/** Space for a line at the end. The last name may extend further, into the padding of its card. */
const END = 4

const text = { fontSize: 11, fill: 'var(--bw-ink-3)' }

/** A chart with its scale on the left, names of positions below, and a line that reads the position in use. */
export function Chart(props: {
  label: string
  /** Number of positions. */
  count: number
  /** One row per mark: its position `at`, and the values that the parts of the chart name. */
  rows: readonly { at: number }[]
  height: number
  /** Space above the plot for text on its upper edge. */
  room?: number
  /** Values with a grid line, from the lower to the upper edge, and how they are written. */
  ticks: readonly number[]
  formatTick: (value: number) => string
  scaleWidth: number
  /** Returns at most this many names for the axis. */
  names: (most: number) => readonly { at: number; text: string }[]
  /** Width of a name including the space to the next one. */
  nameWidth: number
  /** Initial position for the keyboard, and position that is read out by default. */
  start: number
  read: (at: number) => string
  /** Opens what is behind a position, by a press or Enter. */
  onPress?: (at: number) => void
  legend?: ReactNode
  /** Parts of the chart. `step` is the width of a position in pixels. */
  children: (step: number) => ReactNode
}) {
  const { count, height, room = 8, ticks, scaleWidth } = props
  const { ref, width: measured } = useElementSize()
  const isPrinting = usePrinting() !== null
  const width = isPrinting ? PAPER_WIDTH : Math.max(160, measured || USUAL_WIDTH)
  const plotWidth = width - scaleWidth - END
  const names = new Map(props.names(Math.floor(plotWidth / props.nameWidth)).map(({ at, text }) => [at, text]))
  return (
    <div ref={ref}>
      <ChartReader
        label={props.label}
        count={count}
        start={props.start}
        read={props.read}
        onPress={props.onPress}
        plot={{ top: room, right: END, bottom: NAMES_HEIGHT, left: scaleWidth }}
        legend={props.legend}
      >
        <ComposedChart
          className={styles.chart}
          width={width}
          height={room + height + NAMES_HEIGHT}
          data={props.rows}
          margin={{ top: room, right: END, bottom: 0, left: 0 }}
          accessibilityLayer={false}
          aria-hidden="true"
        >
          <CartesianGrid vertical={false} stroke="var(--bw-line-faint)" />
          <XAxis
            dataKey="at"
            type="number"
            domain={[-0.5, count - 0.5]}
            ticks={[...names.keys()]}
            tickFormatter={(at: number) => names.get(at) ?? ''}
            interval={0}
            height={NAMES_HEIGHT}
            tick={text}
            tickLine={false}
            axisLine={{ stroke: 'var(--bw-line-strong)' }}
          />
          <YAxis
            type="number"
            domain={[ticks[0] ?? 0, ticks.at(-1) ?? 1]}
            ticks={ticks}
            tickFormatter={props.formatTick}
            interval={0}
            width={scaleWidth}
            tick={text}
            tickLine={false}
            axisLine={false}
          />
          {props.children(plotWidth / Math.max(1, count))}
        </ComposedChart>
      </ChartReader>
    </div>
  )
}

/** Bars of one value, no wider than `widest`. Bars with the same `stackId` are stacked. */
export function Bars(props: ComponentProps<typeof Bar> & { step: number; widest?: number }) {
  const { step, widest = 56, ...bar } = props
  return <Bar {...bar} barSize={Math.max(1, Math.min(step * 0.72, widest))} isAnimationActive={false} />
}

/** A line through one value with the area below it. A row with null breaks it. */
export function AreaBelow(props: ComponentProps<typeof Area>) {
  return <Area type="linear" fillOpacity={1} dot={false} activeDot={false} {...props} isAnimationActive={false} />
}

/** A line through one value. A row with null breaks it. */
export function ValueLine(props: ComponentProps<typeof Line>) {
  return <Line type="linear" dot={false} activeDot={false} {...props} isAnimationActive={false} />
}

/** A straight line: across at a value (`y`), upright at a position (`x`), or between two points (`segment`). */
export function Rule(
  props: ComponentProps<typeof ReferenceLine> & { name?: string; side?: 'Left' | 'Right'; isBelow?: boolean },
) {
  const { name, side = 'Left', isBelow = false, ...line } = props
  const label = name !== undefined && {
    value: name,
    position: `inside${isBelow ? 'Top' : 'Bottom'}${side}` as const,
    className: styles.name,
    ...text,
  }
  return <ReferenceLine ifOverflow={line.segment ? 'hidden' : 'visible'} {...line} label={label} />
}

/** Fills whole positions from the lower to the upper edge. */
export function Band(props: { from: number; to: number; fill: string; name?: string | undefined }) {
  const { from, to, fill, name } = props
  const label = name !== undefined && { value: name, position: 'insideTop' as const, className: styles.name, ...text }
  return <ReferenceArea x1={from - 0.5} x2={to + 0.5} fill={fill} fillOpacity={1} ifOverflow="hidden" label={label} />
}

export function Dot(props: ComponentProps<typeof ReferenceDot>) {
  return <ReferenceDot ifOverflow="hidden" {...props} />
}

/** Returns about five round values that include `low` and `high`, in steps of 1, 2 or 5 and of at least `least`. */
export function roundTicks(low: number, high: number, least = 0): number[] {
  const rough = (high > low ? high - low : 1) / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = Math.max(least, power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10))
  const [first, last] = [Math.floor(low / step), Math.max(Math.ceil(high / step), Math.floor(low / step) + 1)]
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)))
}
