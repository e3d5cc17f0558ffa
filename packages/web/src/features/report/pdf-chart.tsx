import { G, Path, Rect, Svg, Text } from '@react-pdf/renderer'
import { dayLabels, heightOf, hourTicks, type RuntimeDay, runtimeBars, runtimeGaps } from '../usage/runtime-axis.ts'
import { CHART_LEFT, CHART_WIDTH, chartPlot, LEAST_BAR, labelsIn } from './chart-measures.ts'
import { paper } from './paper.ts'
import { textWidth } from './pdf-styles.ts'

const plot = chartPlot(CHART_WIDTH)

/** The chart of the page, drawn as vectors at the width of the text. */
export function PdfChart({ days }: { days: readonly RuntimeDay[] }) {
  const { width, height } = plot
  const drawn = height + 30
  return (
    <Svg
      viewBox={`${-CHART_LEFT} -8 ${CHART_WIDTH} ${drawn}`}
      style={{ width: textWidth, height: (textWidth * drawn) / CHART_WIDTH }}
    >
      {runtimeGaps(days, plot).map((gap) => (
        <Rect key={gap.from} x={gap.x} y={0} width={gap.width} height={height} fill={paper.row} />
      ))}
      {hourTicks.map((hours) => {
        const y = height - heightOf(hours, plot)
        return (
          <G key={hours}>
            <Path d={`M0 ${y}H${width}`} stroke={hours === 0 ? paper.quiet : paper.line} strokeWidth={0.8} />
            <Label x={-8} y={y + 3.5} anchor="end" text={`${hours} h`} />
          </G>
        )
      })}
      {runtimeBars(days, plot).map((bar) => {
        const shown = Math.max(LEAST_BAR, bar.height)
        return <Rect key={bar.day} x={bar.x} y={height - shown} width={bar.width} height={shown} fill={paper.accent} />
      })}
      {dayLabels(days, { most: labelsIn(plot), width }).map(({ day, text, x }) => (
        <Label key={day} x={x} y={height + 16} anchor="middle" text={text} />
      ))}
    </Svg>
  )
}

function Label({ x, y, anchor, text }: { x: number; y: number; anchor: 'middle' | 'end'; text: string }) {
  return (
    <Text x={x} y={y} textAnchor={anchor} fill={paper.quiet} style={{ fontSize: 10 }}>
      {text}
    </Text>
  )
}
