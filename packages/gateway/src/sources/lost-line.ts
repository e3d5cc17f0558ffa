import type { Outage } from '@benchwatch/samples/simulator/outages'
import type { Line } from '../line.ts'
import { LONGEST_TIMER_MS } from './longest-timer.ts'

/** Takes a gateway's line away in each of the outages, which come in order of time; answers the function that stops it. */
export function loseLine(line: Line, outages: Iterator<Outage, void>, now: () => number): () => void {
  let timer: NodeJS.Timeout | undefined

  function at(instant: number, act: () => void): void {
    const wait = instant - now()
    timer =
      wait > LONGEST_TIMER_MS
        ? setTimeout(() => at(instant, act), LONGEST_TIMER_MS)
        : setTimeout(act, Math.max(0, wait))
  }

  function awaitNext(): void {
    const next = outages.next()
    if (next.done) return
    const outage = next.value
    // Slept through.
    if (outage.to <= now()) {
      awaitNext()
      return
    }
    at(outage.from, () => {
      line.cut()
      at(outage.to, () => {
        line.restore()
        awaitNext()
      })
    })
  }

  awaitNext()
  return () => {
    clearTimeout(timer)
    line.restore()
  }
}
