import type { InstrumentTimeline } from '@benchwatch/contract/instrument-timeline'
import type { InstrumentStatus, OrcStatus } from '@benchwatch/contract/vocabulary'
import { formatClock, formatInstrumentDate, formatInstrumentTime, formatTimeInZone } from '../../lib/dates.ts'
import { formatSpan } from '../../lib/duration.ts'
import { isLost } from '../connections/monitoring.ts'
import { type RuntimeDay, type Stretch, stretchAt } from './timeline-lanes.ts'

/** What held at one instant, in words: the reading of the cross-hair. */

export interface KnownTimeline {
  statuses: readonly Stretch<InstrumentStatus>[]
  connections: readonly Stretch<OrcStatus>[]
  maintenances: InstrumentTimeline['maintenances']
  runtimes: readonly RuntimeDay[]
}

export interface Reading {
  /** By the viewer's clock. */
  time: string
  /** By the clock of the site, where that differs. */
  siteTime: string | null
  facts: { name: string; words: string }[]
}

/** Nothing is told of an instant that is still to come but its maintenance. */
export function readingAt(
  at: number,
  { statuses, connections, maintenances, runtimes }: KnownTimeline,
  { now, siteZone }: { now: number; siteZone: string },
): Reading {
  const facts = [maintenanceFact(maintenances, at)]
  if (at <= now) {
    const status = stretchAt(statuses, at)
    const connection = stretchAt(connections, at)
    const day = runtimes.find(({ from, to }) => from <= at && at < to)
    const isLastTold = connection !== undefined && isLost(connection.value)
    facts.unshift(
      {
        name: isLastTold ? 'Last status' : 'Status',
        words: status === undefined ? 'not known' : stretchWords(status, now),
      },
      { name: 'Connection', words: connection === undefined ? 'not known' : stretchWords(connection, now) },
    )
    facts.push({ name: 'Run time', words: day === undefined ? 'no data' : runtimeWords(day) })
  }
  const there = formatTimeInZone(at, siteZone)
  const isSameClock = there === null || there.includes(`@ ${formatClock(at)} `)
  return { time: formatInstrumentTime(at), siteTime: isSameClock ? null : there, facts }
}

/** `method run since 20-Nov-2026 10:04 (3 h 58 min)`: how long in all, up to now where it still holds. */
function stretchWords<V extends string>({ value, from, to }: Stretch<V>, now: number): string {
  return `${value} since ${formatInstrumentTime(from)} (${formatSpan(((to ?? now) - from) / 1000)})`
}

function maintenanceFact(maintenances: KnownTimeline['maintenances'], at: number): Reading['facts'][number] {
  const window = maintenances.find(
    ({ start, end }) => Date.parse(start) <= at && (end === null || at < Date.parse(end)),
  )
  return { name: 'Maintenance', words: window === undefined ? 'none' : windowWords(window) }
}

/** `20-Nov-2026 10:00 to 20-Nov-2026 14:00: Service visit`. */
export function windowWords({ start, end, reason }: KnownTimeline['maintenances'][number]): string {
  const span =
    end === null
      ? `since ${formatInstrumentTime(start)}`
      : `${formatInstrumentTime(start)} to ${formatInstrumentTime(end)}`
  return reason === null ? span : `${span}: ${reason}`
}

/** `7.5 h on 20-Nov-2026`. */
export function runtimeWords({ day, seconds }: RuntimeDay): string {
  return `${(seconds / 3600).toFixed(1)} h on ${formatInstrumentDate(day)}`
}
