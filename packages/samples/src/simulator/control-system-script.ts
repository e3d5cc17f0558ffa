import type { Situation } from '../faults/fault.ts'
import { type Outcome, phase, type Script, type Stopping } from './faulty-phase.ts'
import { idle, startUp } from './laboratory-day.ts'
import { tellAcknowledged, tellRunEnded, tellRunStarted } from './log-stories.ts'
import { aMethod } from './methods.ts'
import type { OpenAlarm, Rig } from './rig.ts'

/** The life of a BioProcess IC: it leads tanks and transfer lines of a suite through recipes. */
export function* controlSystemScript(rig: Rig): Script<never> {
  yield* startUp(rig)
  for (;;) {
    yield* idle(rig, { minutes: rig.random.between(20, 300), stopping })
    rig.changeOperator()
    yield* recipe(rig)
  }
}

function* recipe(rig: Rig): Script {
  const { name, hours, blocks } = aMethod(rig.traits.methods, rig.random)
  rig.method = name
  rig.setStatus('running')
  tellRunStarted(rig, { message: `Recipe started: “${name}”`, module: 'Recipe', code: 'AT-2301' })
  const minutes = rig.random.between(...hours) * 60
  const total = blocks.reduce((sum, { share }) => sum + share, 0)
  for (const block of blocks) {
    rig.audit(`Step “${block.name}” of “${name}”. ${rig.traits.readings(rig.random)}`, {
      module: 'Recipe',
      eventCode: 'AT-2310',
      userName: null,
    })
    const outcome = yield* phase(rig, { minutes: (minutes * block.share) / total, situation: 'run', stopping })
    if (outcome === 'ended') return
    yield* perhapsPause(rig)
  }
  tellRunEnded(rig, { message: `Recipe completed: “${name}”`, module: 'Recipe', code: 'AT-2304' })
  rig.setStatus('ready')
  rig.method = ''
}

function* perhapsPause(rig: Rig): Script {
  if (!rig.random.chance(0.12)) return
  rig.setStatus('paused')
  rig.audit('Recipe paused', { module: 'Recipe', eventCode: 'AT-2320' })
  yield rig.random.between(3, 40)
  rig.setStatus('running')
  rig.audit('Recipe continued', { module: 'Recipe', eventCode: 'AT-2321' })
}

/** A stopped recipe: held until its operator has looked, or in error until the system is reset. */
const stopping: Stopping = {
  *stop(rig: Rig, alarm: OpenAlarm, situation: Situation): Script<Outcome> {
    const isGrave = alarm.fault.severity === 'high'
    rig.setStatus(isGrave ? 'alarms and errors' : 'hold')
    yield rig.random.between(3, isGrave ? 60 : 25)
    rig.changeOperator()
    tellAcknowledged(rig, alarm)
    if (!isGrave) {
      rig.clear(alarm)
      rig.setStatus('running')
      return 'goes on'
    }
    rig.setStatus('resetting')
    yield rig.random.between(0.5, 3)
    rig.clear(alarm)
    if (situation === 'run' && rig.random.chance(0.7)) {
      rig.setStatus('running')
      return 'goes on'
    }
    rig.audit(`Recipe ended by user: “${rig.method}”`, { module: 'Recipe', level: 'WARNING', eventCode: 'AT-2305' })
    rig.setStatus('ready')
    rig.method = ''
    return 'ended'
  },
}
