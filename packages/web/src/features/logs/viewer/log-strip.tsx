import type { LogCount } from '@benchwatch/contract/instruments/logs'
import { Box, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { counted } from '../../../lib/folded.ts'
import { formatClock, formatEventDate, formatEventTime } from '../../../lib/time/dates.ts'
import { ChartReader } from '../../../ui/charts/chart-reader.tsx'
import { RetryLine } from '../../../ui/text/notice.tsx'
import { LevelMark, signs } from '../log-line.tsx'
import type { LogWindow } from '../log-pages.ts'
import { type LogSource, lineCountsQuery } from '../logs.api.ts'

/** Half an hour each in the window of a day that opens first. */
const PARTS = 48
const HEIGHT = 40
/** Room for the sign of an error or a warning above its bar. */
const SIGN = 10

const plot = { top: 0, right: 0, bottom: 0, left: 0 }

/** Draws how many lines, errors and warnings each part of the window holds. A press shows the lines of that time. */
export function LogStrip(props: {
  source: LogSource
  window: LogWindow
  search: string
  /** The moment of the event, ISO. */
  moment: string
  /** Called with the start of a part, in ms since 1970. */
  onGo: (at: number) => void
}) {
  const { window, search, onGo } = props
  const counting = useQuery(lineCountsQuery(props.source, { ...window, searchString: search, parts: PARTS }))
  const counts = counting.data?.counts ?? []
  const [from, to] = [Date.parse(window.from), Date.parse(window.to)]
  const startOf = (part: number) => from + ((to - from) * part) / PARTS
  const event = (Date.parse(props.moment) - from) / (to - from)
  const isEventWithin = event >= 0 && event < 1
  const last = counts.findLastIndex(({ lines }) => lines > 0)
  if (counting.isError)
    return (
      <Box fz="xs" c="dimmed" px={14} pb={8}>
        <RetryLine onRetry={() => void counting.refetch()}>The number of lines over time could not be read.</RetryLine>
      </Box>
    )
  return (
    <Box px={14} pb={8} mih={HEIGHT + 28} opacity={counting.isPlaceholderData ? 0.5 : undefined}>
      {counts.length > 0 && (
        <ChartReader
          label="Lines over time. Enter shows the lines of a time"
          count={PARTS}
          start={isEventWithin ? Math.floor(event * PARTS) : Math.max(0, last)}
          read={(part) => formatPart(counts[part], { from: startOf(part), to: startOf(part + 1) })}
          onPress={(part) => onGo(startOf(part))}
          plot={plot}
          legend={<Legend counts={counts} countedFrom={counting.data?.countedFrom ?? null} />}
        >
          <Strip counts={counts} event={isEventWithin ? event : null} />
        </ChartReader>
      )}
    </Box>
  )
}

function Strip({ counts, event }: { counts: readonly LogCount[]; event: number | null }) {
  const most = Math.max(1, ...counts.map(({ lines }) => lines))
  const width = 100 / counts.length
  return (
    <svg width="100%" height={HEIGHT} display="block" aria-hidden="true">
      <rect width="100%" height="1" y={HEIGHT - 1} fill="var(--bw-line)" />
      {counts.map(({ lines, errors, warnings }, part) => {
        // Nothing that exists is too small to be seen.
        const heightOf = (count: number) => (count === 0 ? 0 : Math.max(2, (count / most) * (HEIGHT - SIGN)))
        const [high, medium] = [heightOf(errors), heightOf(warnings)]
        const all = Math.max(heightOf(lines), high + medium)
        const sign = errors > 0 ? 'error' : warnings > 0 ? 'warning' : null
        const bar = { width: `calc(${width}% - 1px)` }
        return (
          // The parts of a strip never move.
          <svg key={part} x={`${part * width}%`} overflow="visible">
            <rect style={bar} y={HEIGHT - all} height={all} fill="var(--bw-line-strong)" />
            <rect style={bar} y={HEIGHT - high - medium} height={medium} fill="var(--bw-medium)" />
            <rect style={bar} y={HEIGHT - high} height={high} fill="var(--bw-high)" />
            {sign !== null && (
              <svg x={`${width / 2}%`} y={HEIGHT - all - SIGN} overflow="visible">
                <path
                  d={signs[sign]}
                  transform="translate(-5 1) scale(.75)"
                  fill={sign === 'error' ? 'var(--bw-high)' : 'var(--bw-medium)'}
                />
              </svg>
            )}
          </svg>
        )
      })}
      {event !== null && <rect x={`${event * 100}%`} width="2" height={HEIGHT} fill="var(--bw-accent)" data-event />}
    </svg>
  )
}

function Legend({ counts, countedFrom }: { counts: readonly LogCount[]; countedFrom: string | null }) {
  const sum = (key: keyof LogCount) => counts.reduce((total, count) => total + count[key], 0)
  const [errors, warnings] = [sum('errors'), sum('warnings')]
  return (
    <Group gap="0 14px" fz="xs" c="dimmed">
      {errors > 0 && <LevelMark tone="error">{counted(errors, 'error')}</LevelMark>}
      {warnings > 0 && <LevelMark tone="warning">{counted(warnings, 'warning')}</LevelMark>}
      {countedFrom !== null && <span>Counted from {formatEventTime(countedFrom)} on</span>}
    </Group>
  )
}

/** Returns e.g. '20-Nov-2026 12:00–12:30: 40 lines, 1 error, 2 warnings'. */
export function formatPart(count: LogCount | undefined, { from, to }: { from: number; to: number }): string {
  const { lines, errors, warnings } = count ?? { lines: 0, errors: 0, warnings: 0 }
  const parts = [
    counted(lines, 'line'),
    errors > 0 && counted(errors, 'error'),
    warnings > 0 && counted(warnings, 'warning'),
  ].filter(Boolean)
  const [begin, end] = [new Date(from), new Date(to)]
  const isOneDay = formatEventDate(begin) === formatEventDate(end)
  return `${formatEventTime(begin)}–${isOneDay ? formatClock(end) : formatEventTime(end)}: ${parts.join(', ')}`
}
