import { Machine } from '@benchwatch/samples/simulator/machine'
import { livelyPace } from '@benchwatch/samples/simulator/pace'
import type { Posting } from '@benchwatch/samples/simulator/postings'
import type { Source } from '../gateway.ts'

/** A step that is later than this was slept through (a closed laptop): what was to come is moved, not made up for. */
const SLEPT_MS = 300_000
/** setTimeout takes 31 bits of milliseconds. */
const LONGEST_TIMER_MS = 2_000_000_000

export interface SimulatorOptions {
  /** Instruments of all gateways. */
  postings: readonly Posting[]
  seed: string
  /** 1: what a fleet of 400 shows is worth looking at; 2: twice as fast. */
  speed: number
  now?: () => number
}

/**
 * Pretend instruments behind a gateway. Each one starts in the state that the demo's history, made from the same seed,
 * leaves it in at this moment, reports its status, and goes on from there at a livelier pace.
 */
export function simulator({ postings, seed, speed, now = Date.now }: SimulatorOptions): Source {
  return ({ name, report, log }) => {
    const start = now()
    const machines = postings
      .filter(({ gateway }) => gateway === name)
      .map((posting) => new Machine(posting, { seed, at: start }))
    let timer: NodeJS.Timeout | undefined

    for (const machine of machines) {
      machine.changePace(livelyPace(speed), start)
      const data = { instrumentStatus: machine.status }
      report({
        type: 'benchwatch.status.changed',
        data,
        subject: machine.posting.installedProductId,
        time: new Date(start),
      })
    }

    function tick(): void {
      const at = now()
      for (const machine of machines) step(machine, at)
      const due = machines.reduce((first, { nextAt }) => Math.min(first, nextAt), Number.POSITIVE_INFINITY)
      timer = setTimeout(tick, Math.min(LONGEST_TIMER_MS, Math.max(0, due - now())))
    }

    function step(machine: Machine, at: number): void {
      if (at - machine.nextAt > SLEPT_MS) machine.postpone(at - machine.nextAt)
      while (machine.nextAt <= at) {
        const time = new Date(machine.nextAt)
        for (const emission of machine.advance())
          report({ ...emission, subject: machine.posting.installedProductId, time })
      }
    }

    log.debug({ instruments: machines.length, speed }, 'Simulating instruments.')
    if (machines.length > 0) tick()
    return () => clearTimeout(timer)
  }
}
