import { type Fault, moduleOf, templateIdOf } from '../faults/fault.ts'
import { seededRandom } from '../seeded-random.ts'
import type { LogLine } from './emission.ts'
import type { OpenAlarm, Rig } from './rig.ts'

/**
 * What stands in the logs around an alarm: a value that moves towards its limit, then how the system, its server and the
 * client at which somebody sits react. Told of the time of which everything is told; numbers are drawn from the alarm's
 * own id, so that a story more changes nothing else of a history.
 */

/** Seconds before the alarm, and how far the value is from its limit by then, as a share of how far it got beyond. */
const leadUp = [
  { before: 96, distance: 1.1 },
  { before: 61, distance: 0.6 },
  { before: 27, distance: 0.2 },
] as const
/** Seconds from the alarm to the first reaction. */
const REACTION = 1.2

/** `Pre-column pressure 6.4 MPa, limit 6.0 MPa`, of quantities that change within minutes. */
const MEASURED =
  /^(?<what>[^\d“]*(?:pressure|flow|feed|permeate|level|TMP|DO)) (?<value>\d+(?:\.\d+)?) (?<unit>[^\s,]+).*?(?:limit|set point|expected|minimum|threshold) (?<limit>\d+(?:\.\d+)?)/i

interface Measured {
  what: string
  unit: string
  value: number
  limit: number
  decimals: number
}

/** What the detail of an alarm measures; undefined where that is nothing, or nothing that changes within minutes. */
export function measuredIn(detail: string): Measured | undefined {
  const found = MEASURED.exec(detail)?.groups
  if (!found) return undefined
  const { what = '', unit = '', value = '', limit = '' } = found
  return { what, unit, value: Number(value), limit: Number(limit), decimals: value.split('.')[1]?.length ?? 0 }
}

/** The minutes before an alarm, told as it is raised. */
export function tellLeadUp(rig: Rig, alarm: OpenAlarm): void {
  if (!rig.tellsEverything) return
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

/** Seconds after an alarm: who stops what, and what the client's user is shown. */
export function tellReaction(rig: Rig, alarm: OpenAlarm, { stops }: { stops: boolean }): void {
  if (!rig.tellsEverything) return
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

/** So many seconds after the instrument wrote the alarm down. */
function instant({ generatedAt }: OpenAlarm, seconds: number): string {
  return new Date(generatedAt + seconds * 1000).toISOString()
}
