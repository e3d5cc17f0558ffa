import { faultsByType } from '../event-templates.ts'
import type { Situation } from '../faults/fault.ts'
import { logReaction } from './alarm-story.ts'
import { logAlarm } from './log-stories.ts'
import type { OpenAlarm, Rig } from './rig.ts'

/** A script waits by yielding simulated minutes. */
export type Script<Result = void> = Generator<number, Result, void>

/** The result of a phase: the run continues, or a fault has ended it. */
export type Outcome = 'goes on' | 'ended'

/** Faults per hour of an instrument with average trouble, measured over 14 days of 400 instruments. */
const hourlyRates: Record<Situation, number> = { idle: 0.0155, starting: 0.22, run: 0.054, wash: 0.105 }

/** The behaviour of a stopped instrument. Each family stops and resumes in its own way. */
export type Stopping = (rig: Rig, alarm: OpenAlarm, situation: Situation) => Script<Outcome>

/**
 * Lets time pass in a situation, with occasional faults. Time passes in steps of an hour, so that a change of pace
 * soon takes effect; because waiting times are memoryless, drawing again each hour changes nothing else.
 */
export function* phase(
  rig: Rig,
  { minutes, situation, stopping }: { minutes: number; situation: Situation; stopping: Stopping },
): Script<Outcome> {
  let left = minutes
  while (left > 0) {
    const perMinute = (hourlyRates[situation] * rig.trouble * rig.pace.faults) / 60
    const untilFault = -Math.log(1 - rig.random.next()) / perMinute
    const part = Math.min(left, 60)
    left -= Math.min(part, untilFault)
    yield Math.min(part, untilFault)
    if (untilFault >= part) continue
    const outcome = yield* showFault(rig, situation, stopping)
    if (outcome === 'ended') return 'ended'
  }
  return 'goes on'
}

function* showFault(rig: Rig, situation: Situation, stopping: Stopping): Script<Outcome> {
  const known = faultsByType[rig.posting.instrument.type]
  const candidates = known.filter(({ during }) => during.includes(situation))
  if (candidates.length === 0) return 'goes on'
  const fault = rig.random.weighted(candidates, ({ weight }) => weight)
  const open = rig.openAlarm(fault)
  if (open) {
    rig.raiseAgain(open)
    return 'goes on'
  }
  // Some alarms are delivered hours after the instrument logged them.
  const alarm = rig.raise(fault, rig.random.chance(0.015) ? rig.random.between(65, 300) : 0)
  logAlarm(rig, fault, alarm)
  repeat(rig, alarm)
  const stops = situation !== 'idle' && fault.alertType === 1 && rig.random.chance(stopChance[fault.severity])
  logReaction(rig, alarm, { stops })
  if (stops) return yield* stopping(rig, alarm, situation)
  const clearsByItself = rig.random.chance(fault.severity === 'low' ? 0.7 : 0.85)
  if (clearsByItself)
    rig.later(fault.severity === 'low' ? rig.random.between(40, 900) : rig.random.between(4, 150), () =>
      rig.clear(alarm),
    )
  return 'goes on'
}

const stopChance = { high: 0.9, medium: 0.45, low: 0 } as const

/** Some alarms chatter: they are raised again one to four times while open. */
function repeat(rig: Rig, alarm: OpenAlarm): void {
  if (!rig.random.chance(0.12)) return
  const times = rig.random.integer(1, 4)
  for (let time = 1; time <= times; time++) {
    rig.later(time * rig.random.between(1, 14), () => {
      if (rig.openAlarm(alarm.fault) === alarm) rig.raiseAgain(alarm)
    })
  }
}
