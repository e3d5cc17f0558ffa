import type { Situation } from '../faults/fault.ts'
import { type Outcome, phase, type Script } from './faulty-phase.ts'
import { idle, startUp } from './laboratory-day.ts'
import { logAcknowledged, logRunEnded, logRunStarted } from './log-stories.ts'
import { aMethod, type Method } from './methods.ts'
import type { OpenAlarm, Rig } from './rig.ts'

/** Script of a system controlled by UNICORN, from power-on to power-off. */
export function* unicornScript(rig: Rig): Script<never> {
  yield* startUp(rig)
  for (;;) {
    yield* idle(rig, { minutes: rig.random.between(15, 420), stopping })
    rig.changeOperator()
    const draw = rig.random.next()
    if (draw < 0.08) yield* wash(rig, 'System cleaning')
    else if (draw < 0.08 + rig.traits.manualShare) yield* manualRun(rig)
    else yield* methodRun(rig)
  }
}

function* methodRun(rig: Rig): Script {
  const method = aMethod(rig.traits.methods, rig.random)
  rig.method = method.name
  rig.setStatus('starting method run')
  logRunStarted(rig, { message: `Method run started: “${method.name}”`, module: 'Method', code: 'AT-2001' })
  const started = yield* phase(rig, { minutes: rig.random.between(1.5, 5), situation: 'starting', stopping })
  if (started === 'ended') return
  rig.setStatus('method run')
  const minutes = rig.random.between(...method.hours) * 60
  const total = method.blocks.reduce((sum, { share }) => sum + share, 0)
  for (const block of method.blocks) {
    rig.vid(`Block “${block.name}” entered. ${readings(rig)}`, { module: 'Method', eventCode: 'VID-110' })
    const outcome = yield* phase(rig, { minutes: (minutes * block.share) / total, situation: 'run', stopping })
    if (outcome === 'ended') return
    yield* perhapsInterrupt(rig)
  }
  const message = `Method run completed: “${method.name}”. Result saved as ${resultName(rig, method)}`
  logRunEnded(rig, { message, module: 'Method', code: 'AT-2004' })
  if (rig.random.chance(0.75)) yield* wash(rig, 'Wash of the flow path')
  else rig.setStatus('ready')
  rig.method = ''
}

/** Operators supervise their run: they hold it briefly, pause it, and resume it. */
function* perhapsInterrupt(rig: Rig): Script {
  if (!rig.random.chance(0.07)) return
  const kind = rig.random.pick(['hold', 'manual pause', 'pause hold'] as const)
  rig.setStatus(kind)
  rig.audit(kind === 'hold' ? 'Hold requested' : 'Pause requested', { module: 'Method', eventCode: 'AT-2010' })
  yield rig.random.between(3, 25)
  if (kind === 'hold' && rig.random.chance(0.25)) {
    rig.setStatus('hold pause')
    yield rig.random.between(4, 20)
  }
  rig.setStatus('method run')
  rig.audit('Continue requested', { module: 'Method', eventCode: 'AT-2011' })
}

function* manualRun(rig: Rig): Script {
  rig.setStatus('starting manual run')
  logRunStarted(rig, { message: 'Manual run started', module: 'Manual', code: 'AT-2101' })
  yield rig.random.between(0.5, 2)
  rig.setStatus('manual run')
  rig.vid(`Manual instructions. ${readings(rig)}`, { module: 'Manual', eventCode: 'VID-120' })
  yield rig.random.between(10, 80)
  logRunEnded(rig, { message: 'Manual run ended', module: 'Manual', code: 'AT-2102' })
  if (rig.random.chance(0.4)) yield* wash(rig, 'System wash')
  else rig.setStatus('ready')
}

function* wash(rig: Rig, what: string): Script {
  rig.setStatus('wash')
  rig.vid(`${what} with ${rig.random.pick(rig.traits.washes)}. ${readings(rig)}`, {
    module: rig.leadingModule,
    eventCode: 'VID-130',
  })
  const outcome = yield* phase(rig, { minutes: rig.random.between(8, 35), situation: 'wash', stopping })
  if (outcome === 'ended') return
  rig.setStatus('ready')
}

/** A stopped system: held or paused until its operator comes, or in error until a reset, which ends the run. */
function* stopping(rig: Rig, alarm: OpenAlarm, situation: Situation): Script<Outcome> {
  const before = rig.status
  const isGrave = alarm.fault.severity === 'high'
  const fails = isGrave && rig.random.chance(0.4)
  rig.setStatus(fails ? 'alarms and errors' : isGrave ? 'system pause' : 'hold')
  yield rig.random.between(3, isGrave ? 55 : 25)
  rig.changeOperator()
  logAcknowledged(rig, alarm)
  const givesUp = fails || (isGrave && rig.random.chance(0.25))
  if (!givesUp) {
    rig.clear(alarm)
    rig.setStatus(before)
    rig.audit('Continue requested', { module: 'Method', eventCode: 'AT-2011' })
    return 'goes on'
  }
  rig.audit(situation === 'wash' ? 'Wash ended early' : `Method run ended by user: “${rig.method}”`, {
    module: 'Method',
    level: 'WARNING',
    eventCode: 'AT-2005',
  })
  rig.setStatus('resetting')
  yield rig.random.between(1, 4)
  rig.clear(alarm)
  rig.setStatus('ready')
  rig.method = ''
  return 'ended'
}

function readings(rig: Rig): string {
  return rig.traits.readings(rig.random)
}

function resultName(rig: Rig, method: Method): string {
  return `${method.name.replace(/[^A-Za-z0-9]+/g, '_')}_${new Date(rig.now).toISOString().slice(0, 10)}.res`
}
