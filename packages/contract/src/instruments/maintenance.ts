import { z } from 'zod'
import { paths } from '../paths.ts'
import { id, instant, instantInput, instrumentId, text, timeZone } from '../primitives.ts'
import { route } from '../route.ts'
import { limits } from '../vocabulary.ts'

/**
 * Maintenance of instruments: document 2 sections 2 to 5, wire 6. Events during maintenance are flagged but never
 * lost.
 */

/**
 * An active or future maintenance. For a recurring one, start and end are those of the active window, else of the next
 * one. Active once start ≤ now; the active one comes first in a list.
 */
export const maintenance = z.object({
  id,
  start: instant,
  /** Null for an open end. */
  end: instant.nullable(),
  reason: z.string().nullable(),
  /** Recurrence rule (RFC 5545, without DTSTART); null for a single window. */
  rrule: z.string().nullable(),
  /** IANA zone whose clock the recurrence follows. */
  timeZone: z.string().nullable(),
})
export type Maintenance = z.output<typeof maintenance>

/** Active and future maintenances, ordered by start. */
export const maintenances = z.array(maintenance)

export const setMaintenance = route({
  ...paths.setMaintenance,
  summary: 'Start or plan maintenance of an instrument, once or recurring; a start of null ends the current one',
  query: z.strictObject({ instrumentId }),
  body: z.strictObject({
    /**
     * Id of an active or future maintenance to change (with start null: to end). Without an id, a single window
     * replaces the single windows that it overlaps, a recurring one is added, and start null ends the active one, or
     * else the next.
     */
    id: id.optional(),
    /** Today or later. The part of today that has passed is ignored: the window starts now. */
    start: instantInput.nullable(),
    /** Exclusive. Absent or null for an open end. */
    end: instantInput.nullish().transform((value) => value ?? null),
    reason: text(limits.maintenanceReason)
      .nullish()
      .transform((value) => value?.trim() || null),
    /**
     * FREQ=DAILY, WEEKLY, MONTHLY or YEARLY with INTERVAL, COUNT, UNTIL, BYDAY, BYMONTHDAY, BYMONTH, BYSETPOS, WKST.
     * start and end are the first window; all others have the same local times in timeZone.
     */
    rrule: text(limits.recurrenceRule).min(1).nullish(),
    /** Required with rrule. Without rrule, the user's own zone, which decides when today begins. */
    timeZone: timeZone.nullish(),
  }),
  answer: z.object({ maintenances }),
  errors: ['session-expired', 'not-found', 'bad-maintenance'],
  access: { kind: 'signed-in' },
})

const maintenanceWindow = z.object({ start: instant, end: instant })

export const previewMaintenance = route({
  ...paths.previewMaintenance,
  summary: 'Preview the next windows of a recurring maintenance; changes nothing',
  /** Same as in setMaintenance. */
  body: z.strictObject({
    start: instantInput,
    end: instantInput,
    rrule: text(limits.recurrenceRule).min(1),
    timeZone,
  }),
  /** The first three windows that are not over, ordered by start; fewer if the rule ends earlier. */
  answer: z.object({ windows: z.array(maintenanceWindow) }),
  errors: ['session-expired', 'bad-maintenance'],
  access: { kind: 'signed-in' },
})
