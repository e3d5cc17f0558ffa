import type { ServiceResponse } from '@benchwatch/contract/event-details'
import type { ServiceEvent } from '@benchwatch/contract/events'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { formatSpan } from '../../../lib/time/duration.ts'
import { BarFact } from '../../../ui/layout/details-page.tsx'
import { useNow } from '../../../ui/time/use-now.ts'
import { serviceResponseQuery } from '../events.api.ts'

/**
 * A 24-hour contract promises that an event is taken within 24 hours of its creation. Other contracts promise nothing;
 * for their events only the waiting time is shown.
 */
const PROMISED_SECONDS = 24 * 3600

/** The clock counts in seconds below this. */
const NEAR_SECONDS = 3600

/** One sixth of the promised time: the event should be looked at within this shift. */
const SOON_SECONDS = 4 * 3600

type ContractClock =
  /** Not taken yet. `left` is negative once the promise is broken. */
  | { state: 'running'; left: number; tone: 'calm' | 'soon' | 'urgent' | 'overdue' }
  /** `isLate`: taken later than the contract promises. */
  | { state: 'acknowledged'; after: number; isLate: boolean }
  /** Taken, but it is not known yet how long that took. */
  | { state: 'taken' }

type ClockedEvent = Pick<ServiceEvent, 'createdAt' | 'fullSupport' | 'alertStatus' | 'claimedBy'>

/**
 * Shows the time left to take an event under a 24-hour contract; after it was taken, only that it was late. How long it
 * took is in the card 'Service response'.
 */
export function ContractClockFact({ event }: { event: ServiceEvent }) {
  const response = useQuery(serviceResponseQuery(event)).data
  const halfMinute = useNow()
  const coarse = contractClock(event, { response, now: halfMinute })
  // The coarse clock ticks every 30 seconds, so counting may start up to 30 seconds early, never late.
  const isNear = coarse?.state === 'running' && Math.abs(coarse.left) < NEAR_SECONDS + 30
  const second = useSeconds(isNear)
  const clock = isNear ? contractClock(event, { response, now: second }) : coarse
  if (clock === null || clock.state === 'taken') return null
  if (clock.state === 'acknowledged')
    return (
      clock.isLate && (
        <BarFact name="24 h contract">
          <Text span fw={600} c="var(--bw-danger)">
            acknowledged later than 24 h
          </Text>
        </BarFact>
      )
    )
  return (
    <BarFact name="24 h contract">
      <Text span fw={600} c={colours[clock.tone]}>
        {runningLabel(clock)}
      </Text>
    </BarFact>
  )
}

const colours = {
  calm: 'var(--bw-success)',
  soon: 'var(--bw-warning)',
  urgent: 'var(--bw-danger)',
  overdue: 'var(--bw-danger)',
}

function runningLabel({ left }: Extract<ContractClock, { state: 'running' }>): string {
  return left < 0 ? `overdue by ${formatSpan(-left)}` : `${formatSpan(left)} left`
}

/** Returns the time in milliseconds since the epoch, updated every second while `isOn`. */
function useSeconds(isOn: boolean): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!isOn) return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [isOn])
  return now
}

/**
 * Returns the state of the event's clock at `now` (ms), or null if it has none. `response` is undefined until it is
 * read.
 */
export function contractClock(
  event: ClockedEvent,
  { response, now }: { response: ServiceResponse | undefined; now: number },
): ContractClock | null {
  const after = response?.alertToAcknowledgeTime ?? null
  if (after !== null) return { state: 'acknowledged', after, isLate: event.fullSupport && after > PROMISED_SECONDS }
  if (event.claimedBy !== null) return { state: 'taken' }
  if (!event.fullSupport || event.alertStatus === '3_CLOSED') return null
  const left = PROMISED_SECONDS - (now - new Date(event.createdAt).getTime()) / 1000
  return { state: 'running', left, tone: toneOf(left) }
}

function toneOf(left: number): 'calm' | 'soon' | 'urgent' | 'overdue' {
  if (left < 0) return 'overdue'
  if (left < NEAR_SECONDS) return 'urgent'
  return left < SOON_SECONDS ? 'soon' : 'calm'
}
