import { phase, type Script, type Stopping } from './faulty-phase.ts'
import { logConnectionLost, logConnectionRestored, logSelfTest, logSwitchedOn } from './log-stories.ts'
import type { Rig } from './rig.ts'
import { nextWorkingInstant } from './working-hours.ts'

/** Runs the steps that all instruments take when switched on. */

export function* startUp(rig: Rig): Script {
  rig.setStatus('initializing system')
  logSwitchedOn(rig)
  yield rig.random.between(1.5, 5)
  logSelfTest(rig)
  rig.setStatus('ready')
}

/** Ready and waiting for a user: a minimum time, plus nights and weekends if working hours are kept. */
export function* idle(rig: Rig, { minutes, stopping }: { minutes: number; stopping: Stopping }): Script {
  // Method queues and cultures can start at any hour.
  const keepsWorkingHours = rig.pace.keepsWorkingHours && !rig.random.chance(0.2)
  const lostAfter = rig.random.chance(0.012) ? minutes * rig.random.next() : Number.POSITIVE_INFINITY
  let left = keepsWorkingHours ? untilWorkingHours(rig, minutes) : minutes
  for (let passed = 0; left > 0; ) {
    const part = Math.min(left, 60)
    yield* phase(rig, { minutes: part, situation: 'idle', stopping })
    left -= part
    if (passed <= lostAfter && lostAfter < passed + part) yield* losesConnection(rig)
    passed += part
    // If the new pace no longer keeps working hours, an operator who was due on Monday comes sooner.
    if (keepsWorkingHours && !rig.pace.keepsWorkingHours) left = Math.min(left, rig.random.between(0, 240))
  }
}

/** Returns the minutes until the first working time that is at least `minutes` away. */
function untilWorkingHours(rig: Rig, minutes: number): number {
  const earliest = rig.now + minutes * 60_000
  const open = nextWorkingInstant(earliest, rig.zoneOffset)
  return (open - rig.now) / 60_000 + (open > earliest ? rig.random.between(0, 150) : 0)
}

function* losesConnection(rig: Rig): Script {
  rig.setStatus('disconnected')
  logConnectionLost(rig)
  yield rig.random.between(10, 90)
  rig.setStatus('initializing')
  logConnectionRestored(rig)
  yield rig.random.between(1, 3)
  rig.setStatus('ready')
}
