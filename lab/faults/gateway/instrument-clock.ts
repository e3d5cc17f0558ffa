import { setTimeout as pause } from 'node:timers/promises'
import { MqttLaboratory } from '../mqtt/mqtt-laboratory.ts'
import { openOpcUaLaboratory } from '../opcua/opcua-laboratory.ts'
import { runFault } from '../script/fault-script.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const RUN = 'B-1'
/** The console marks an event as delayed if it was stored at least this long after it happened (specification: Constants). */
const DELAYED_MS = HOUR_MS

/** The time field of a message at a moment; `turn` counts from 0 to 1 over the whole fault. */
interface Clock {
  name: string
  shows(now: number, turn: number): string | null | undefined
  /** How far it is ahead of the gateway's clock, in milliseconds; 0 where the gateway has to take the time of receipt. */
  aheadMs(turn: number): number
  isDelayed: boolean
  /** True if the clock says at this turn that it is earlier than the run's beginning. */
  isBeforeRun?(turn: number): boolean
}

const by = (aheadMs: (turn: number) => number) => ({
  aheadMs,
  shows: (now: number, turn: number) => new Date(now + aheadMs(turn)).toISOString(),
})

const clocks: Clock[] = [
  { name: 'right', ...by(() => 0), isDelayed: false },
  { name: '3 hours ahead', ...by(() => 3 * HOUR_MS), isDelayed: false },
  { name: '2 days behind', ...by(() => -48 * HOUR_MS), isDelayed: true },
  {
    name: 'jumps back by a minute',
    ...by((turn) => (turn < 0.5 ? 0 : -MINUTE_MS)),
    isDelayed: false,
    isBeforeRun: (turn) => turn >= 0.5,
  },
  { name: 'NaN', shows: () => 'NaN', aheadMs: () => 0, isDelayed: false },
  { name: 'null', shows: () => null, aheadMs: () => 0, isDelayed: false },
  { name: 'none', shows: () => undefined, aheadMs: () => 0, isDelayed: false },
]

/** An alarm that an instrument was instructed to report, with the moment and the clock. */
interface Told {
  clock: Clock
  at: number
  turn: number
  isOver: boolean
  isInRun: boolean
}

/**
 * The clocks of instruments are wrong. Sources of MQTT and OPC UA lose nothing and report nothing twice; each event shows
 * the time of its instrument, or that of receipt where there is none, and belongs to the run in which it was raised.
 */
await runFault({
  name: 'instrument-clock',
  parameters: { rounds: 10 },
  async run({ workplace, verdict, parameters: { rounds } }) {
    const laboratory = await MqttLaboratory.open(workplace, verdict, { instruments: clocks.length })
    if (!laboratory) return
    const told = new Map<number, Told>()
    let next = 1
    for (let round = 0; round < rounds; round += 1) {
      const turn = round / rounds
      // The run begins and ends amid the alarms.
      const isInRun = round >= 2 && round < rounds - 2
      const now = Date.now()
      const each = clocks.map((clock, at) => ({
        clock,
        common: { instrument: laboratory.instruments[at], time: clock.shows(now, turn) },
      }))
      if (round === 2 || round === rounds - 2) {
        const state = isInRun ? { state: 'method run', run: RUN } : { state: 'ready' }
        await laboratory.send(each.map(({ common }) => ({ ...common, ...state })))
      }
      const isOver = round % 2 === 1
      const numbers = each.map(({ clock }) => {
        told.set(next, { clock, at: now, turn, isOver, isInRun })
        return next++
      })
      const alarms = (on: boolean) =>
        each.map(({ clock, common }, at) => ({
          ...common,
          // The clock goes back while the alarm is active.
          ...(on ? {} : { time: clock.shows(now - MINUTE_MS, turn) }),
          number: numbers[at] as number,
          on,
        }))
      await laboratory.send(alarms(true))
      if (isOver) await laboratory.send(alarms(false))
      await pause(1000)
    }
    const isDone = (events: Awaited<ReturnType<typeof laboratory.events>>) => {
      const over = new Set(events.filter(({ isCleared }) => isCleared).map(({ number }) => number))
      return events.length > told.size && [...told].every(([number, { isOver }]) => !isOver || over.has(number))
    }
    await laboratory.until(isDone)
    const events = await laboratory.events()
    const found = events.flatMap((event) => {
      const report = told.get(event.number ?? 0)
      return report ? [{ ...event, ...report }] : []
    })
    const named = (list: readonly { clock: Clock }[]) =>
      [...new Set(list.map(({ clock }) => clock.name))].map((name) => console.log(`  ${name}`)).length
    const wrong = {
      'events whose time is not that of the instrument, or of receipt': found.filter(
        ({ logGeneratedAt, createdAt, at, turn, clock }) => {
          const ahead = clock.aheadMs(turn)
          const hasTime = clock.shows(at, turn)?.startsWith('2')
          return hasTime
            ? logGeneratedAt.getTime() !== at + ahead
            : logGeneratedAt.getTime() < at || logGeneratedAt > createdAt
        },
      ),
      'events that are not placed by the time of the server': found.filter(
        ({ createdAt, at }) => createdAt.getTime() < at || createdAt.getTime() > Date.now(),
      ),
      'events that are delayed or not against their clock': found.filter(
        ({ createdAt, logGeneratedAt, clock }) =>
          createdAt.getTime() - logGeneratedAt.getTime() >= DELAYED_MS !== clock.isDelayed,
      ),
      'events returned to normal or not against what was said': found.filter(
        ({ isCleared, isOver }) => isCleared !== isOver,
      ),
      'events of another run than by the clock of the instrument': found.filter(
        ({ run, isInRun, clock, turn }) => run !== (isInRun && !clock.isBeforeRun?.(turn) ? RUN : null),
      ),
    }
    laboratory.judge(verdict, events)
    verdict.figure('clocks', clocks.map(({ name }) => name).join('; '))
    for (const [name, list] of Object.entries(wrong)) {
      if (named(list) > 0) console.log(`  … ${name}`)
      verdict.atMost(name, { figure: list.length, most: 0 })
    }

    const opcua = await openOpcUaLaboratory(workplace)
    await opcua.server.start(0.5)
    await opcua.gateway.start('reports to')
    for (const [raised, aheadMs] of [3 * HOUR_MS, -48 * HOUR_MS, -48 * HOUR_MS - MINUTE_MS].entries()) {
      opcua.server.setClock(aheadMs)
      const at = Date.now()
      opcua.server.setLevel(0.9)
      await opcua.until((list) => list.length === raised + 1 && !list.at(-1)?.isCleared, at)
      opcua.server.setLevel(0.5)
      await opcua.until((list) => list.length === raised + 1 && list.every(({ isCleared }) => isCleared), at)
      const [event] = (await opcua.events()).slice(-1)
      const difference = (event?.logGeneratedAt.getTime() ?? 0) - at - aheadMs
      verdict.check(`OPC UA, ${Math.round(aheadMs / MINUTE_MS)} min ahead: the event has the time of the server`, {
        figure: `${difference} ms after the change`,
        goal: 'within 2 s',
        passed: difference >= -50 && difference < 2000,
      })
    }
    verdict.atMost('repeats of OPC UA counted as raised again', {
      figure: (await opcua.events()).reduce((sum, { latchedCount }) => sum + latchedCount, 0),
      most: 0,
    })
  },
})
