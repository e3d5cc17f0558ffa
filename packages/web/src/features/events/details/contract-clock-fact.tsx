import type { ServiceResponse } from '@benchwatch/contract/event-details'
import type { ServiceEvent } from '@benchwatch/contract/events'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { formatSpan } from '../../../lib/time/duration.ts'
import { BarFact } from '../../../ui/layout/details-head.tsx'
import { useNow } from '../../../ui/time/use-now.ts'
import { serviceResponseQuery } from '../events.api.ts'
import styles from './contract-clock-fact.module.css'

/**
 * The promise of a 24-hour contract: from the creation of an event to its first claim at most 24 hours go by. Other
 * events have no such promise; of them only how long they waited is told.
 */
const PROMISED_SECONDS = 24 * 3600

/** Below this the clock shows seconds, and counts them. */
const NEAR_SECONDS = 3600

/** A sixth of the time: somebody should look at it in this shift. */
const SOON_SECONDS = 4 * 3600

type ContractClock =
  /** Nobody has taken it yet. `left` is below 0 once the promise is broken. */
  | { state: 'running'; left: number; tone: 'calm' | 'soon' | 'urgent' | 'overdue' }
  /** `isLate`: later than the contract promised. */
  | { state: 'acknowledged'; after: number; isLate: boolean }
  /** Somebody has taken it; after how long is not known (yet). */
  | { state: 'taken' }

type ClockedEvent = Pick<ServiceEvent, 'createdAt' | 'fullSupport' | 'alertStatus' | 'claimedBy'>

/** The time left to take an event under a 24-hour contract; once somebody has taken it, after how long that was. */
export function ContractClockFact({ event }: { event: ServiceEvent }) {
  const response = useQuery(serviceResponseQuery(event)).data
  const halfMinute = useNow()
  const coarse = contractClock(event, { response, now: halfMinute })
  // Asked for at every half minute, so it may begin to count up to half a minute early; never late.
  const isNear = coarse?.state === 'running' && Math.abs(coarse.left) < NEAR_SECONDS + 30
  const second = useSeconds(isNear)
  const clock = isNear ? contractClock(event, { response, now: second }) : coarse
  if (clock === null) return null
  if (clock.state === 'taken') return <BarFact name="Acknowledged after">–</BarFact>
  if (clock.state === 'acknowledged')
    return (
      <BarFact name="Acknowledged after">
        {formatSpan(clock.after)}
        {clock.isLate && (
          <span className={styles.left} data-tone="overdue">
            {' '}
            · later than 24 h
          </span>
        )}
      </BarFact>
    )
  return (
    <BarFact name="24 h contract">
      <span className={styles.left} data-tone={clock.tone}>
        {runningLabel(clock)}
      </span>
    </BarFact>
  )
}

function runningLabel({ left }: Extract<ContractClock, { state: 'running' }>): string {
  return left < 0 ? `overdue by ${formatSpan(-left)}` : `${formatSpan(left)} left`
}

/** Milliseconds since the epoch, each second anew while `isOn`. */
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

/** How the clock of `event` stands at `now` (ms); null where there is none. `response` undefined: not read yet. */
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
