import type { ServiceResponse } from '@benchwatch/contract/events/event-details'
import type { ServiceEvent } from '@benchwatch/contract/events/events'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { formatSpan } from '../../../lib/time/duration.ts'
import { BarFact } from '../../../ui/layout/details-page.tsx'
import { useNow } from '../../../ui/time/use-now.ts'
import { contractTimeLeft, NEAR_SECONDS, PROMISED_SECONDS, type TimeLeft, timeLeftColours } from '../contract-clock.ts'
import { serviceResponseQuery } from '../events.api.ts'

type ContractClock =
  /** Not taken yet. `left` is negative once the promise is broken. */
  | ({ state: 'running' } & TimeLeft)
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
      <Text span fw={600} c={timeLeftColours[clock.tone]}>
        {runningLabel(clock)}
      </Text>
    </BarFact>
  )
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
  const running = contractTimeLeft(event, now)
  return running && { state: 'running', ...running }
}
