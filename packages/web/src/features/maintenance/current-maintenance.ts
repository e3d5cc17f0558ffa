import type { Instrument } from '@benchwatch/contract/instruments/instruments'
import type { Maintenance } from '@benchwatch/contract/instruments/maintenance'
import { formatInstrumentEnd, formatInstrumentTime } from '../../lib/time/dates.ts'

/** Labels for the current maintenance of an instrument. Pure; `now` in epoch milliseconds. Document 2 section 4. */

/** The instrument properties that this feature uses. */
export type MaintainedInstrument = Pick<
  Instrument,
  | 'id'
  | 'instrumentInstalledProductId'
  | 'instrumentProductDescription'
  | 'instrumentTimeZone'
  | 'orcStatus'
  | 'unknownAt'
  | 'maintenances'
>

export type MaintenanceState = 'on' | 'scheduled'

/** Returns the current maintenance: the first one without an end or with an end in the future. */
export function currentMaintenance(maintenances: readonly Maintenance[], now: number): Maintenance | null {
  return maintenances.find(({ end }) => end === null || Date.parse(end) > now) ?? null
}

/** Returns the starts and ends, the instants at which the labels change. */
export function maintenanceBorders(maintenances: readonly Maintenance[]): number[] {
  return maintenances.flatMap(({ start, end }) => (end === null ? [start] : [start, end])).map((at) => Date.parse(at))
}

export function hasStarted({ start }: Pick<Maintenance, 'start'>, now: number): boolean {
  return Date.parse(start) <= now
}

export function maintenanceState(maintenance: Pick<Maintenance, 'start'>, now: number): MaintenanceState {
  return hasStarted(maintenance, now) ? 'on' : 'scheduled'
}

export const maintenanceStateLabels: Record<MaintenanceState, string> = {
  on: 'Maintenance on',
  scheduled: 'Maintenance scheduled',
}

/** Returns e.g. 'Since 20-Nov-2026 14:02, until the end of 21-Nov-2026', in the viewer's zone. */
export function maintenanceSpan({ start, end }: Pick<Maintenance, 'start' | 'end'>, now: number): string {
  const isOn = hasStarted({ start }, now)
  const from = `${isOn ? 'Since' : 'From'} ${formatInstrumentTime(start)}`
  if (end === null) return isOn ? `${from}, until turned off` : `${from} until turned off`
  return `${from}${isOn ? ',' : ''} until ${formatInstrumentEnd(end)}`
}
