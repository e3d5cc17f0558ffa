import { AreaBelow, Band, Bars, Chart } from '../../../ui/charts/chart.tsx'
import { dayLabel, dayNames, HOURS_A_DAY, hourTicks, MOST_BARS, type RuntimeDay, runtimeGaps } from './runtime-axis.ts'

/** A narrower gap has no space for its name. */
const LEAST_NAMED_GAP = 64

/** Run times of days: bars on an axis from 0 to 24 hours, or an area for more days than bars can show. */
export function RuntimeChart({ days, label }: { days: readonly RuntimeDay[]; label: string }) {
  const isArea = days.length > MOST_BARS
  return (
    <Chart
      label={label}
      count={days.length}
      rows={isArea ? areaRows(days) : barRows(days)}
      height={168}
      ticks={hourTicks}
      formatTick={(hours) => (hours === HOURS_A_DAY ? `${hours} h` : `${hours}`)}
      scaleWidth={34}
      names={(most) =>
        dayNames(
          days.map(({ day }) => day),
          most,
        )
      }
      nameWidth={56}
      start={days.length - 1}
      read={(at) => (days[at] === undefined ? '' : dayLabel(days[at]))}
    >
      {(step) => (
        <>
          <defs>
            <pattern
              id="no-data"
              width="6"
              height="6"
              patternUnits="userSpaceOnUse"
              patternTransform="rotate(45)"
              stroke="var(--bw-line-strong)"
              strokeWidth="1.5"
            >
              <path d="M0 0V6" />
            </pattern>
          </defs>
          {runtimeGaps(days).map(({ first, last }) => (
            <Band
              key={first}
              from={first}
              to={last}
              fill="url(#no-data)"
              name={(last - first + 1) * step < LEAST_NAMED_GAP ? undefined : 'No data'}
            />
          ))}
          {isArea ? (
            <AreaBelow dataKey="hours" stroke={accent} strokeWidth={1.2} fill={accentMixed(22, 'transparent')} />
          ) : (
            <Bars step={step} dataKey="hours" fill={accent} minPointSize={2} radius={[2, 2, 0, 0]} />
          )}
        </>
      )}
    </Chart>
  )
}

const accent = 'var(--bw-accent)'
const accentMixed = (percent: number, other: string) => `color-mix(in srgb, ${accent} ${percent}%, ${other})`
/** Today is not over yet: an outline to be filled. */
const unfinished = { fill: accentMixed(35, 'var(--bw-panel)'), stroke: accent, strokeDasharray: '3 2' }

function barRows(days: readonly RuntimeDay[]) {
  return days.flatMap(({ hours, isToday }, at) => (hours === null ? [] : [{ at, hours, ...(isToday && unfinished) }]))
}

/** Extends each stretch of days with data to the edges of its days, so that a single day stays visible. */
function areaRows(days: readonly RuntimeDay[]): { at: number; hours: number | null }[] {
  const hasData = (at: number) => typeof days[at]?.hours === 'number'
  return days.flatMap(({ hours }, at) => [
    ...(hasData(at) && !hasData(at - 1) ? [{ at: at - 0.5, hours }] : []),
    { at, hours },
    ...(hasData(at) && !hasData(at + 1) ? [{ at: at + 0.5, hours }] : []),
  ])
}
