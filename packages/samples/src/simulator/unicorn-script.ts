import type { Situation } from '../faults/fault.ts'
import { type Outcome, phase, type Script, type Stopping } from './faulty-phase.ts'
import { idle, startUp } from './laboratory-day.ts'
import { aMethod, type Method } from './methods.ts'
import type { OpenAlarm, Rig } from './rig.ts'

/** The life of an ÄKTA from being switched on until somebody switches it off. */
export function* aktaScript(rig: Rig): Script<never> {
  yield* startUp(rig)
  for (;;) {
    yield* idle(rig, { minutes: rig.random.between(15, 420), stopping })
    rig.operator = rig.random.pick(rig.posting.operators)
    const draw = rig.random.next()
    if (draw < 0.8) yield* methodRun(rig)
    else if (draw < 0.92) yield* manualRun(rig)
    else yield* wash(rig, 'System cleaning')
  }
}

function* methodRun(rig: Rig): Script {
  const method = aMethod(rig.posting.instrument.type, rig.random)
  rig.method = method.name
  rig.setStatus('starting method run')
  rig.audit(`Method run started: “${method.name}”`, { module: 'Method', eventCode: 'AT-2001' })
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
  rig.audit(`Method run completed: “${method.name}”. Result saved as ${resultName(rig, method)}`, {
    module: 'Method',
    eventCode: 'AT-2004',
  })
  if (rig.random.chance(0.75)) yield* wash(rig, 'Column and system wash')
  else rig.setStatus('ready')
  rig.method = ''
}

/** Operators look after their run: hold it for a moment, pause it, and let it go on. */
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
  rig.audit('Manual run started', { module: 'Manual', eventCode: 'AT-2101' })
  yield rig.random.between(0.5, 2)
  rig.setStatus('manual run')
  rig.vid(`Manual instructions. ${readings(rig)}`, { module: 'Manual', eventCode: 'VID-120' })
  yield rig.random.between(10, 80)
  rig.audit('Manual run ended', { module: 'Manual', eventCode: 'AT-2102' })
  if (rig.random.chance(0.4)) yield* wash(rig, 'System wash')
  else rig.setStatus('ready')
}

function* wash(rig: Rig, what: string): Script {
  rig.setStatus('wash')
  rig.vid(`${what} with ${rig.random.pick(['water', '20 % ethanol', '0.5 M NaOH'])}. ${readings(rig)}`, {
    module: 'P9-A',
    eventCode: 'VID-130',
  })
  const outcome = yield* phase(rig, { minutes: rig.random.between(8, 35), situation: 'wash', stopping })
  if (outcome === 'ended') return
  rig.setStatus('ready')
}

/** A stopped ÄKTA: held or paused until its operator comes, or in error until it is reset, which ends the run. */
const stopping: Stopping = {
  *stop(rig: Rig, alarm: OpenAlarm, situation: Situation): Script<Outcome> {
    const before = rig.status
    const isGrave = alarm.fault.severity === 'high'
    const fails = isGrave && rig.random.chance(0.4)
    rig.setStatus(fails ? 'alarms and errors' : isGrave ? 'system pause' : 'hold')
    yield rig.random.between(3, isGrave ? 55 : 25)
    rig.operator = rig.random.pick(rig.posting.operators)
    const code = { eventCode: 'AT-3002' }
    rig.audit(`${alarm.fault.alertType === 1 ? 'Alarm' : 'Alert'} acknowledged: ${alarm.fault.title}`, code)
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
  },
}

/** Curves as the service log writes them down. Large columns run slow in pressure and fast in flow. */
function readings(rig: Rig): string {
  const { random } = rig
  const isPilot = rig.posting.instrument.type === 'AKTAPilot600'
  const pressure = random.between(0.12, isPilot ? 1.4 : 2.6).toFixed(2)
  const flow = isPilot ? `${random.integer(80, 580)}` : random.between(0.5, 24).toFixed(1)
  return `PreC pressure ${pressure} MPa, UV 280 nm ${random.between(0.4, 940).toFixed(1)} mAU, Cond ${random.between(1.2, 88).toFixed(1)} mS/cm, Flow ${flow} ml/min`
}

function resultName(rig: Rig, method: Method): string {
  return `${method.name.replace(/[^A-Za-z0-9]+/g, '_')}_${new Date(rig.now).toISOString().slice(0, 10)}.res`
}
