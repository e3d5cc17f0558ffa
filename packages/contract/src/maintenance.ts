import { z } from 'zod'
import { paths } from './paths.ts'
import { id, instant, instantInput, instrumentId, text, timeZone } from './primitives.ts'
import { route } from './route.ts'
import { limits } from './vocabulary.ts'

/** Maintenance of instruments: document 2 sections 2 to 5, wire 6. Shown, marked on events, and never a reason to lose one. */

/**
 * A maintenance that is on or to come. Of a recurring one start and end are those of the window that is on, else of the
 * next one. On from start ≤ now; the current one is the first of a list.
 */
export const maintenance = z.object({
  id,
  start: instant,
  /** Null: until somebody ends it. */
  end: instant.nullable(),
  reason: z.string().nullable(),
  /** The recurrence rule (RFC 5545, without DTSTART) of a recurring one; null for a single window. */
  rrule: z.string().nullable(),
  /** IANA zone on whose clock it recurs. */
  timeZone: z.string().nullable(),
})
export type Maintenance = z.output<typeof maintenance>

/** Those that are on or to come, by start. */
export const maintenances = z.array(maintenance)

export const setMaintenance = route({
  ...paths.setMaintenance,
  summary: 'Put an instrument into maintenance now or later, once or recurring; start null ends the current one',
  query: z.strictObject({ instrumentId }),
  body: z.strictObject({
    /**
     * One that is on or to come and is to be changed (with start null: ended). Without it a single window takes the place
     * of the single windows that it overlaps, a recurring one is added, and start null means the current one.
     */
    id: id.optional(),
    /** Today or later; what has passed of today counts from now. */
    start: instantInput.nullable(),
    /** Exclusive. None: until somebody ends it. */
    end: instantInput.nullish().transform((value) => value ?? null),
    reason: text(limits.maintenanceReason)
      .nullish()
      .transform((value) => value?.trim() || null),
    /**
     * FREQ=DAILY, WEEKLY, MONTHLY or YEARLY with INTERVAL, COUNT, UNTIL, BYDAY, BYMONTHDAY, BYMONTH, BYSETPOS, WKST. start
     * and end are its first window; the others begin and end at the same time by the clock of timeZone.
     */
    rrule: text(limits.recurrenceRule).min(1).nullish(),
    /** Needed with rrule. Without rrule it says whose today is meant: the viewer's. */
    timeZone: timeZone.nullish(),
  }),
  answer: z.object({ maintenances }),
  errors: ['session-expired', 'not-found', 'bad-maintenance'],
  access: { kind: 'signed-in' },
})

const maintenanceWindow = z.object({ start: instant, end: instant })

export const previewMaintenance = route({
  ...paths.previewMaintenance,
  summary: 'The next windows of a recurring maintenance as it would be set; changes nothing',
  /** As in setMaintenance. */
  body: z.strictObject({
    start: instantInput,
    end: instantInput,
    rrule: text(limits.recurrenceRule).min(1),
    timeZone,
  }),
  /** The first three that are not over, by start; fewer where the rule ends before. */
  answer: z.object({ windows: z.array(maintenanceWindow) }),
  errors: ['session-expired', 'bad-maintenance'],
  access: { kind: 'signed-in' },
})
