import { type Outcome, phase, type Script, type Stopping } from './faulty-phase.ts'
import { idle, startUp } from './laboratory-day.ts'
import { tellAcknowledged } from './log-stories.ts'
import { aCulture } from './methods.ts'
import type { OpenAlarm, Rig } from './rig.ts'

/** The life of a WAVE 25 from being switched on until somebody switches it off: cultures of days, with samplings. */
export function* waveScript(rig: Rig): Script<never> {
  yield* startUp(rig)
  for (;;) {
    yield* idle(rig, { minutes: rig.random.between(60, 900), stopping })
    rig.changeOperator()
    yield* culture(rig)
  }
}

function* culture(rig: Rig): Script {
  rig.method = aCulture(rig.random)
  rig.setStatus('running')
  rig.audit(`Culture started: “${rig.method}”. Set points 37.0 °C, 6.0°, 22/min, 5.0 % CO2`, {
    module: 'Recipe',
    eventCode: 'AT-2201',
  })
  const samplings = rig.random.integer(8, 40)
  for (let sampling = 1; sampling <= samplings; sampling++) {
    const minutes = rig.random.between(140, 420)
    const outcome = yield* phase(rig, { minutes, situation: 'run', stopping })
    if (outcome === 'ended') return
    rig.vid(rig.traits.readings(rig.random), { module: 'CBCU-25', eventCode: 'VID-210' })
    yield* sample(rig, sampling)
  }
  rig.audit(`Culture harvested: “${rig.method}”`, { module: 'Recipe', eventCode: 'AT-2204' })
  rig.setStatus('ready')
  rig.method = ''
}

/** The rocker is paused for a sample; every third time it keeps rocking. */
function* sample(rig: Rig, number: number): Script {
  const isPaused = rig.random.chance(0.66)
  if (isPaused) rig.setStatus('paused')
  rig.changeOperator()
  rig.audit(`Sample ${number} taken of “${rig.method}”: viability ${rig.random.between(88, 98.9).toFixed(1)} %`, {
    module: 'Recipe',
    eventCode: 'AT-2210',
  })
  if (!isPaused) return
  yield rig.random.between(4, 18)
  rig.setStatus('running')
}

/** A stopped WAVE: in error until its operator has reset it; a culture is hardly ever given up. */
const stopping: Stopping = {
  *stop(rig: Rig, alarm: OpenAlarm): Script<Outcome> {
    if (alarm.fault.severity === 'medium') {
      rig.setStatus('paused')
      yield rig.random.between(3, 20)
      rig.clear(alarm)
      rig.setStatus('running')
      return 'goes on'
    }
    rig.setStatus('alarms and errors')
    yield rig.random.between(3, 45)
    rig.changeOperator()
    tellAcknowledged(rig, alarm)
    rig.setStatus('resetting')
    yield rig.random.between(0.5, 2)
    rig.clear(alarm)
    if (rig.random.chance(0.9)) {
      rig.setStatus('running')
      return 'goes on'
    }
    rig.audit(`Culture given up: “${rig.method}”`, { module: 'Recipe', level: 'WARNING', eventCode: 'AT-2205' })
    rig.setStatus('ready')
    rig.method = ''
    return 'ended'
  },
}
