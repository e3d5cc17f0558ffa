import { type Fault, moduleOf, templateIdOf } from '../faults/fault.ts'
import { seededRandom } from '../seeded-random.ts'
import type { LogLine } from './emission.ts'
import type { OpenAlarm, Rig } from './rig.ts'

/**
 * Writes the log lines around an alarm: a value moves towards its limit, then the system, its server and the
 * operator's client react. Times are relative to the alarm. Numbers are drawn from the alarm's own ID, so that an
 * additional story changes nothing else in a history.
 */

/** Seconds before the alarm, and the distance of the value from its limit as a share of the later excess. */
const leadUp = [
  { before: 96, distance: 1.1 },
  { before: 61, distance: 0.6 },
  { before: 27, distance: 0.2 },
] as const
/** Seconds from the alarm to the first reaction. */
const REACTION = 1.2

/** Matches `Pre-column pressure 6.4 MPa, limit 6.0 MPa`, for quantities that change within minutes. */
const MEASURED =
  /^(?<what>[^\d“]*(?:pressure|flow|feed|permeate|level|TMP|DO)) (?<value>\d+(?:\.\d+)?) (?<unit>[^\s,]+).*?(?:limit|set point|expected|minimum|threshold) (?<limit>\d+(?:\.\d+)?)/i

interface Measured {
  what: string
  unit: string
  value: number
  limit: number
  decimals: number
}

/** Returns the measurement in an alarm's detail; undefined if there is none that changes within minutes. */
export function measuredIn(detail: string): Measured | undefined {
  const found = MEASURED.exec(detail)?.groups
  if (!found) return undefined
  const { what = '', unit = '', value = '', limit = '' } = found
  return { what, unit, value: Number(value), limit: Number(limit), decimals: value.split('.')[1]?.length ?? 0 }
}

/** Writes the minutes before an alarm, when it is raised. */
export function logLeadUp(rig: Rig, alarm: OpenAlarm): void {
  if (!rig.keepsAllLines) return
  const measured = measuredIn(detailOf(alarm))
  if (!measured) return
  const { what, unit, value, limit, decimals } = measured
  for (const { before, distance } of leadUp) {
    const reached = Math.max(0, limit - (value - limit) * distance).toFixed(decimals)
    const isNear = distance < 0.5
    const reading = `${what} ${reached} ${unit}`
    rig.vid(isNear ? `${reading}, close to ${limit.toFixed(decimals)} ${unit}` : reading, {
      module: moduleOf(alarm.fault.component),
      level: isNear ? 'WARNING' : 'INFO',
      eventCode: 'VID-131',
      timestamp: instant(alarm, -before),
    })
  }
}

/** Writes the log lines after an alarm: what stops, who stopped it, and the message on the client. */
export function logReaction(rig: Rig, alarm: OpenAlarm, { stops }: { stops: boolean }): void {
  if (!rig.keepsAllLines) return
  const random = seededRandom(`${alarm.alertId}/reaction`)
  const number = random.integer(100_000, 999_999)
  const answered = random.integer(4, 38)
  rig.later(REACTION / 60, () => {
    const at = (seconds: number): Pick<LogLine, 'timestamp'> => ({ timestamp: instant(alarm, REACTION + seconds) })
    const name = nameOf(alarm.fault)
    const run = rig.method === '' ? 'System' : `“${rig.method}”`
    if (stops) {
      rig.write('COMM', {
        message: `${rig.leadingModule}: stop command acknowledged in ${answered} ms`,
        module: rig.leadingModule,
        level: 'INFO',
        eventCode: 'COM-130',
        ...at(0),
      })
      rig.vid(`${run} stopped by ${name}`, {
        module: rig.leadingModule,
        level: 'WARNING',
        eventCode: 'VID-140',
        ...at(0.3),
      })
      rig.audit(`${run}: status changed to “${rig.status}” by ${name}`, {
        level: 'WARNING',
        eventCode: 'AT-2012',
        userName: null,
        ...at(0.4),
      })
    }
    rig.write('INSTRUMENTSERVER', {
      message: `Notification ${number}: ${name}, sent to ${rig.client ?? 'no client, none is connected'}`,
      level: stops ? 'WARNING' : 'INFO',
      eventCode: 'IS-310',
      ...at(0.6),
    })
    if (rig.client !== null)
      rig.write('UNICORNCLIENT', {
        message: `Notification ${number} shown: ${name}, ${alarm.fault.title}`,
        level: stops ? 'WARNING' : 'INFO',
        eventCode: 'UC-405',
        userName: rig.operator,
        hostname: rig.client,
        ...at(0.9),
      })
  })
}

/** `Alarm P9B-1042` */
export function nameOf(fault: Fault): string {
  return `${fault.alertType === 1 ? 'Alarm' : 'Alert'} ${templateIdOf(fault)}`
}

function detailOf({ fault, description = '' }: OpenAlarm): string {
  return description.slice(fault.title.length + 2)
}

/** Returns a time in seconds after the instrument logged the alarm. */
function instant({ generatedAt }: OpenAlarm, seconds: number): string {
  return new Date(generatedAt + seconds * 1000).toISOString()
}
