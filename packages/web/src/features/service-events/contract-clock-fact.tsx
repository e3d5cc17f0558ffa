import type { ServiceEvent } from '@benchwatch/contract/service-events'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { formatSpan } from '../../lib/duration.ts'
import { BarFact } from '../../ui/details-bar.tsx'
import { useNow } from '../../ui/use-now.ts'
import { type ContractClock, contractClock, NEAR_SECONDS } from './contract-clock.ts'
import styles from './contract-clock-fact.module.css'
import { serviceResponseQuery } from './service-events.api.ts'

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
        {runningWords(clock)}
      </span>
    </BarFact>
  )
}

function runningWords({ left }: Extract<ContractClock, { state: 'running' }>): string {
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
