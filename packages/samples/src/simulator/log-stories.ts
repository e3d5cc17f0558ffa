import { componentsOf } from '../equipment/components.ts'
import { type Fault, moduleOf, templateIdOf } from '../faults/fault.ts'
import { logLeadUp, nameOf } from './alarm-story.ts'
import type { OpenAlarm, Rig } from './rig.ts'

/**
 * Stories write what happens into all logs of an instrument at once, so that a user who compares two logs finds the
 * same event in both. Lines for logs that a type does not keep are dropped.
 */

const SYSTEM = 'NT AUTHORITY\\SYSTEM'

export function logSwitchedOn(rig: Rig): void {
  rig.audit('Instrument switched on', { eventCode: 'AT-1001', userName: null })
  rig.write('WINDOWSSYSTEMEVENT', windows('The Event log service was started.', 'Information', '6005'))
  rig.write('INSTRUMENTSERVER', {
    message: `Instrument server started. UNICORN ${rig.computers().unicornVersion ?? ''}, 1 system registered`,
    level: 'INFO',
    eventCode: 'IS-100',
  })
  rig.write('CONNECTIVITY', {
    message: `Gateway ${rig.posting.gateway}: session opened`,
    module: 'Gateway',
    level: 'INFO',
    eventCode: 'CON-200',
  })
}

/** Writes the end of the self-test: the weekly report and the response of each module. */
export function logSelfTest(rig: Rig): void {
  rig.vid('Self-test passed', { module: 'System', eventCode: 'VID-100' })
  const modules = componentsOf(rig.posting.instrument.type).map(({ component }) => moduleOf(component))
  for (const module of modules.slice(0, 3)) {
    rig.write('COMM', {
      message: `${module}: node answered in ${rig.random.integer(3, 19)} ms, firmware accepted`,
      module,
      level: 'INFO',
      eventCode: 'COM-110',
    })
  }
  rig.write('SYSTEMREPORT', {
    message: `System report: ${modules.length} modules found, self-test passed, ${rig.random.integer(18, 410)} GB free on the server, cabinet at ${rig.random.integer(22, 38)} °C`,
    module: 'System',
    level: 'INFO',
    eventCode: 'SR-010',
  })
}

/** Writes the start of a run by an operator; `code` is the code of the audit trail. */
export function logRunStarted(rig: Rig, { message, module, code }: { message: string; module: string; code: string }) {
  rig.audit(message, { module, eventCode: code })
  if (rig.random.chance(0.3))
    rig.write('WINDOWSSYSTEMEVENT', {
      ...windows(`An account was successfully logged on: ${rig.operator}`, 'Information', '4624'),
      userName: rig.operator,
      hostname: rig.client,
    })
  const call = `call ${rig.random.integer(100_000, 999_999)}`
  rig.write('UNICORNCLIENT', {
    message: `${message}; sent to the instrument server as ${call}`,
    level: 'INFO',
    eventCode: 'UC-210',
    userName: rig.operator,
    hostname: rig.client,
  })
  rig.write('INSTRUMENTSERVER', {
    message: `${call} from ${rig.client ?? 'unknown client'}: Run.Start accepted in ${rig.random.integer(8, 160)} ms`,
    level: 'INFO',
    eventCode: 'IS-210',
  })
  rig.write('COMM', {
    message: `${rig.leadingModule}: instruction queue loaded, ${rig.random.integer(12, 240)} instructions, 0 retries`,
    module: rig.leadingModule,
    level: 'INFO',
    eventCode: 'COM-120',
  })
}

export function logRunEnded(rig: Rig, { message, module, code }: { message: string; module: string; code: string }) {
  rig.audit(message, { module, eventCode: code })
  rig.write('INSTRUMENTSERVER', {
    message: `Run.End: result written, ${(rig.random.next() * 24 + 0.4).toFixed(1)} MB`,
    level: 'INFO',
    eventCode: 'IS-220',
  })
  if (rig.random.chance(0.4))
    rig.write('UNICORNCLIENT', {
      message: `Result opened in Evaluation${rig.method ? `: “${rig.method}”` : ''}`,
      level: 'INFO',
      eventCode: 'UC-310',
      userName: rig.operator,
      hostname: rig.client,
    })
}

/**
 * Writes a new alarm into the logs of the module, the audit trail, the event log and, if a limit was crossed, the
 * threshold log. The time is when the instrument logged it, even if it is delivered hours later.
 */
export function logAlarm(rig: Rig, fault: Fault, alarm: OpenAlarm): void {
  const module = moduleOf(fault.component)
  const level = fault.severity === 'high' ? 'ERROR' : 'WARNING'
  const eventCode = templateIdOf(fault)
  const text = alarm.description ?? fault.title
  const answer = rig.random.integer(40, 900)
  const timestamp = new Date(alarm.generatedAt).toISOString()
  logLeadUp(rig, alarm)
  rig.aboutAlarm(() => {
    rig.vid(text, { module, level, eventCode, timestamp })
    rig.audit(`${nameOf(fault)} raised: ${fault.title}`, { level, eventCode, userName: null, timestamp })
    rig.write('EVENT', {
      message: `${fault.component}: error ${fault.errorCode}, ${fault.title}`,
      module: fault.component,
      level,
      eventCode,
      timestamp,
    })
    if (crossesLimit(fault)) rig.write('THRESHOLD', { message: text, module, level, eventCode, timestamp })
    if (fault.severity === 'high')
      rig.write('COMM', {
        message: `${module}: status word changed to ERROR, last answer after ${answer} ms`,
        module,
        level,
        eventCode: 'COM-310',
        timestamp,
      })
  })
}

/** Writes that the operator acknowledged the alarm. */
export function logAcknowledged(rig: Rig, { fault }: OpenAlarm): void {
  rig.aboutAlarm(() => {
    rig.audit(`${nameOf(fault)} acknowledged: ${fault.title}`, { eventCode: 'AT-3002' })
    rig.write('UNICORNCLIENT', {
      message: `${nameOf(fault)} acknowledged by ${rig.operator}`,
      level: 'INFO',
      eventCode: 'UC-410',
      userName: rig.operator,
      hostname: rig.client,
    })
  })
  rig.write('INSTRUMENTSERVER', {
    message: `${nameOf(fault)} acknowledged from ${rig.client ?? 'the instrument’s display'}`,
    level: 'INFO',
    eventCode: 'IS-311',
  })
}

export function logConnectionLost(rig: Rig): void {
  rig.audit('Connection to the instrument lost', { level: 'ERROR', eventCode: 'AT-1010', userName: null })
  const lost = { module: 'System', level: 'ERROR' }
  rig.write('CONNECTIVITY', { ...lost, message: 'Instrument does not answer: link down', eventCode: 'CON-310' })
  rig.write('INSTRUMENTSERVER', { ...lost, message: 'System went offline: no answer for 15 s', eventCode: 'IS-410' })
  rig.write('COMM', { ...lost, message: 'No answer from the control unit, 5 retries', eventCode: 'COM-410' })
  rig.write('WINDOWSSYSTEMEVENT', windows('Network link has been disconnected.', 'Warning', '27'))
}

export function logConnectionRestored(rig: Rig): void {
  rig.audit('Connection to the instrument restored', { eventCode: 'AT-1011', userName: null })
  const back = { module: 'System', level: 'INFO' }
  rig.write('CONNECTIVITY', { ...back, message: 'Instrument answers again: link up', eventCode: 'CON-210' })
  rig.write('INSTRUMENTSERVER', { ...back, message: 'System is online again', eventCode: 'IS-110' })
  rig.write('WINDOWSSYSTEMEVENT', windows('Network link has been established.', 'Information', '32'))
}

function windows(message: string, level: string, eventCode: string) {
  return { message, level, eventCode, userName: SYSTEM }
}

/** True if the fault is about a value outside its range. */
function crossesLimit({ detail = '' }: Fault): boolean {
  return /\b(limit|threshold|set point|minimum|maximum|allowed|recommended|range)\b/.test(detail)
}
