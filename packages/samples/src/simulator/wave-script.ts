import { type Outcome, phase, type Script, type Stopping } from './faulty-phase.ts'
import { idle, startUp } from './laboratory-day.ts'
import { aCulture } from './methods.ts'
import type { OpenAlarm, Rig } from './rig.ts'

/** The life of a WAVE 25 from being switched on until somebody switches it off: cultures of days, with samplings. */
export function* waveScript(rig: Rig): Script<never> {
  yield* startUp(rig)
  for (;;) {
    yield* idle(rig, { minutes: rig.random.between(60, 900), stopping })
    rig.operator = rig.random.pick(rig.posting.operators)
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
    rig.vid(readings(rig), { module: 'CBCU-25', eventCode: 'VID-210' })
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
  rig.operator = rig.random.pick(rig.posting.operators)
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
    rig.operator = rig.random.pick(rig.posting.operators)
    rig.audit(`Alarm acknowledged: ${alarm.fault.title}`, { eventCode: 'AT-3002' })
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

function readings(rig: Rig): string {
  const { random } = rig
  return `Temperature ${random.between(36.8, 37.2).toFixed(1)} °C, pH ${random.between(6.95, 7.25).toFixed(2)}, DO ${random.integer(32, 68)} %, CO2 ${random.between(4.8, 5.3).toFixed(1)} %, Weight ${random.between(2.1, 22.6).toFixed(1)} kg`
}
