import type { Id, Instant, InstantOrNull } from './columns.ts'

/** Maintenance of instruments: what was asked for, and each window by itself. */

export interface MaintenanceTable {
  id: Id
  instrument_id: number
  start_at: Instant
  end_at: InstantOrNull
  reason: string | null
  rrule: string | null
  time_zone: string | null
  created_at: Instant
  ended_at: InstantOrNull
  planned_until: InstantOrNull
  shown_until: InstantOrNull
}

export interface MaintenanceWindowTable {
  maintenance_id: number
  instrument_id: number
  start_at: Instant
  end_at: InstantOrNull
}
