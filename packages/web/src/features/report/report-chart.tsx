import { useElementSize } from '@mantine/hooks'
import { dayLabels, heightOf, hourTicks, type RuntimeDay, runtimeBars, runtimeGaps } from '../usage/runtime-axis.ts'
import { CHART_LEFT, CHART_WIDTH, chartPlot, LEAST_BAR, labelsIn } from './chart-measures.ts'
import { paper } from './paper.ts'
import styles from './report-chart.module.css'

/** Hours of running on each day, from 0 to 24. Drawn for the width that it has on the screen, and scaled where it is printed. */
export function ReportChart({ days, label }: { days: readonly RuntimeDay[]; label: string }) {
  const { ref, width: measured } = useElementSize()
  const whole = measured || CHART_WIDTH
  const plot = chartPlot(whole)
  const { width, height } = plot
  return (
    <div ref={ref}>
      <svg className={styles.chart} viewBox={`${-CHART_LEFT} -8 ${whole} ${height + 30}`} role="img" aria-label={label}>
        {runtimeGaps(days, plot).map((gap) => (
          <rect key={gap.from} x={gap.x} width={gap.width} y={0} height={height} fill={paper.row} />
        ))}
        {hourTicks.map((hours) => {
          const y = height - heightOf(hours, plot)
          return (
            <g key={hours}>
              <path d={`M0 ${y}H${width}`} stroke={hours === 0 ? paper.quiet : paper.line} strokeWidth={0.8} />
              <text x={-8} y={y + 3.5} textAnchor="end">
                {hours} h
              </text>
            </g>
          )
        })}
        {runtimeBars(days, plot).map((bar) => {
          const shown = Math.max(LEAST_BAR, bar.height)
          return (
            <rect key={bar.day} x={bar.x} width={bar.width} y={height - shown} height={shown} fill={paper.accent} />
          )
        })}
        {dayLabels(days, { most: labelsIn(plot), width }).map(({ day, text, x }) => (
          <text key={day} x={x} y={height + 16} textAnchor="middle">
            {text}
          </text>
        ))}
      </svg>
    </div>
  )
}
