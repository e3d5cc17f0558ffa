import type { Instrument } from '@benchwatch/contract/instruments'
import type { Maintenance } from '@benchwatch/contract/maintenance'
import { formatInstrumentTime } from '../../lib/dates.ts'

/** What the maintenance of an instrument is now, in words. Pure; `now` in epoch milliseconds. Document 2 section 4. */

/** What the parts of this feature know of an instrument. */
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

/** The current one: the first with no end or an end to come. */
export function currentMaintenance(maintenances: readonly Maintenance[], now: number): Maintenance | null {
  return maintenances.find(({ end }) => end === null || Date.parse(end) > now) ?? null
}

/**
 * A screen's clock ticks twice a minute, and may be behind the server's: what was put on a moment ago would still be to
 * come.
 */
const CLOCK_SLACK_MS = 60_000

export function hasBegun({ start }: Pick<Maintenance, 'start'>, now: number): boolean {
  return Date.parse(start) <= now + CLOCK_SLACK_MS
}

export function maintenanceState(maintenance: Pick<Maintenance, 'start'>, now: number): MaintenanceState {
  return hasBegun(maintenance, now) ? 'on' : 'scheduled'
}

export const maintenanceStateLabels: Record<MaintenanceState, string> = {
  on: 'Maintenance on',
  scheduled: 'Maintenance scheduled',
}

/** 'Since 20-Nov-2026 14:02, until 21-Nov-2026 00:00', in the viewer's zone; `format` writes an instant. */
export function maintenanceSpan(
  { start, end }: Pick<Maintenance, 'start' | 'end'>,
  now: number,
  format: (instant: string) => string = formatInstrumentTime,
): string {
  const isOn = hasBegun({ start }, now)
  const from = `${isOn ? 'Since' : 'From'} ${format(start)}`
  if (end === null) return isOn ? `${from}, until it is ended` : `${from} until it is ended`
  return `${from}${isOn ? ',' : ''} until ${format(end)}`
}
