import { createHash } from 'node:crypto'
import type { Calendar, CalendarInput } from '@benchwatch/contract/instruments/calendars'
import ical, { ICalCalendarMethod, type ICalEventData, ICalEventTransparency } from 'ical-generator'
import { holds, type UserActor } from '../../db/actor.ts'
import type { Trx } from '../../db/connect.ts'
import { takeTurn } from '../../db/rate-limit.ts'
import { customersNamed } from '../../db/sql/named-values.ts'
import { rowId } from '../../db/sql/wire-id.ts'
import { inTransaction } from '../../db/transaction.ts'
import { fieldProblem, problem, tooOften } from '../../platform/http/problem.ts'
import { newToken, tokenHash } from '../../platform/secret-token.ts'
import type { FeatureContext } from '../context.ts'
import { checkInstrumentFilter } from '../instruments/instruments.lookup.ts'
import { findPerson } from '../users/users.lookup.ts'
import { type CalendarEntry, listCalendars, readEntries } from './calendars.queries.ts'
import {
  deleteCalendar,
  findCalendarByToken,
  insertCalendar,
  lockCalendarsOf,
  noteCalendarUse,
} from './calendars.store.ts'

type Needs = Pick<FeatureContext, 'db' | 'clock' | 'config'>

/** More links than a user can keep track of. */
const MAX_CALENDARS = 10
/** A calendar program on each of ten devices may ask every five minutes. */
const READS_PER_HOUR = 120
/** About 1 MB, and 60 ms of the server’s time. */
const MOST_ENTRIES = 2500

/** Creates a link, which is returned only here. Throws unknown-reference, feature-off, too-many-calendars. */
export async function createCalendar(
  { db, clock, config }: Needs,
  { input, caller }: { input: CalendarInput; caller: UserActor },
): Promise<Calendar & { url: string }> {
  const { name, customers, view } = input
  if (view) await checkInstrumentFilter(db, { userId: caller.id, filter: view.filter })
  const token = newToken()
  return inTransaction(db, async (trx) => {
    if ((await lockCalendarsOf(trx, caller.id)) >= MAX_CALENDARS) {
      throw problem(
        'too-many-calendars',
        `You already have ${MAX_CALENDARS} calendars. Revoke one that you no longer need, then create this one.`,
      )
    }
    const choice = {
      name,
      contents: [...new Set(input.contents)],
      customerIds: customers && (await idsOf(trx, { customers, caller })),
      view,
    }
    const id = await insertCalendar(trx, { choice, hash: tokenHash(token), by: caller, at: clock.now() })
    const [made] = await listCalendars(trx, caller, id)
    if (!made) throw new Error(`The calendar ${id} could not be read.`)
    return { ...made, url: `${config.publicUrl}/api/calendars/feeds/${token}/calendar.ics` }
  })
}

/** Revokes a link of the caller. Throws not-found. */
export async function revokeCalendar(
  { db, clock }: Needs,
  { id, caller }: { id: string; caller: UserActor },
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const row = rowId(id)
    const found = row !== undefined && (await deleteCalendar(trx, { id: row, by: caller, at: clock.now() }))
    if (!found) throw problem('not-found', 'There is no such calendar. It may already be revoked. Reload the list.')
  })
}

/**
 * Returns the file behind a link, with what its owner may see now, and the ETag of its content. The text differs with
 * each request, because each entry states when it was written; the ETag does not. Throws not-found, even for a disabled
 * owner, too-many-requests, and feature-off.
 */
export async function readCalendar(
  { db, clock, config }: Needs,
  token: string,
): Promise<{ etag: string; text: () => string }> {
  const calendar = await findCalendarByToken(db, tokenHash(token))
  const owner = calendar && (await findPerson(db, calendar.userId))
  if (!calendar || !owner) {
    throw problem('not-found', 'This link is unknown, revoked, or of a disabled user. Create another one.')
  }
  const now = clock.now()
  const turn = await takeTurn(db, {
    key: `calendar:${calendar.id}`,
    limit: READS_PER_HOUR,
    windowSeconds: 3600,
    at: now,
  })
  if (!turn.isAllowed) throw tooOften('This calendar is read too often.', turn.retryAfter)
  await noteCalendarUse(db, { id: calendar.id, at: now })
  const { filter = {}, keyword, instrumentFamily: family } = calendar.view ?? {}
  await checkInstrumentFilter(db, { userId: owner.id, filter })
  // Customers that the owner no longer sees are dropped. If none is left, the calendar is empty.
  const scope = calendar.customerIds?.filter((id) => holds(owner.scope, id)) ?? owner.scope
  const { contents, name } = calendar
  const search = { filter, keyword, family }
  const content = { name, ...(await readEntries(db, { contents, search, scope, now, limit: MOST_ENTRIES })) }
  const today = now.toISOString().slice(0, 10)
  const hash = createHash('sha256')
    .update(JSON.stringify([content, today]))
    .digest('base64url')
  const { publicUrl, product } = config
  return { etag: `W/"${hash}"`, text: () => calendarText({ ...content, publicUrl, product, now }) }
}

async function idsOf(
  trx: Trx,
  { customers, caller }: { customers: readonly string[]; caller: UserActor },
): Promise<number[]> {
  const ids = new Set<number>()
  for (const [index, name] of customers.entries()) {
    const found = await customersNamed(trx, { names: [name], scope: caller.scope })
    if (found.length === 0) {
      throw fieldProblem(
        'unknown-reference',
        `body.customers.${index}`,
        `There is no customer "${name}". Choose another one.`,
      )
    }
    for (const id of found) ids.add(id)
  }
  return [...ids]
}

// Entries are written as iCalendar (RFC 5545). Instants are UTC; services and contract ends are days without a zone.

const DAY_MS = 86_400_000
/** How often programs are asked to read again. Most choose their own interval. */
const REFRESH_SECONDS = 3600
/**
 * The number of an entry rises with each change of its date, and with each day of a maintenance without an end. No
 * maintenance lasts this many days.
 */
const DAYS_PER_REVISION = 10_000

interface CalendarFile {
  name: string
  entries: readonly CalendarEntry[]
  /** True if later entries are left out; the file says so on the day after its last entry. */
  hasMore: boolean
  /** Origin of the console, without a slash at its end. */
  publicUrl: string
  product: string
  now: Date
}

export function calendarText({ name, entries, hasMore, publicUrl, product, now }: CalendarFile): string {
  const file = ical({
    name,
    prodId: { company: product, product: 'Calendar' },
    method: ICalCalendarMethod.PUBLISH,
    ttl: REFRESH_SECONDS,
  })
  const host = new URL(publicUrl).hostname
  const events = entries.map((entry) => eventOf(entry, { publicUrl, now }))
  const last = entries.at(-1)
  if (hasMore && last) events.push(endOfFile(last))
  for (const { id, ...event } of events) {
    file.createEvent({ ...event, id: `${id}@${host}`, stamp: now, transparency: ICalEventTransparency.TRANSPARENT })
  }
  return file.toString()
}

type Event = ICalEventData & { id: string }

function eventOf(entry: CalendarEntry, { publicUrl, now }: { publicUrl: string; now: Date }): Event {
  const sequence = entry.revision * DAYS_PER_REVISION
  if (entry.kind === 'contract') {
    const { contractId, day, type, customer, instruments } = entry
    return {
      id: `contract-${contractId}`,
      sequence,
      start: new Date(day),
      allDay: true,
      summary: `Contract ends: ${[customer, type].filter(Boolean).join(', ')}`,
      description: `Instruments: ${instruments.join(', ')}`,
    }
  }
  const { instrumentId, systemName, productDescription, installedProductId, customer } = entry
  const common = {
    location: [customer, entry.city, entry.building, entry.room].filter(Boolean).join(', '),
    url: `${publicUrl}/instruments/${instrumentId}`,
  }
  const instrument = systemName ?? productDescription
  const identity = `${productDescription}, ${installedProductId}`
  if (entry.kind === 'service') {
    return {
      id: `service-${instrumentId}`,
      sequence,
      start: new Date(entry.day),
      allDay: true,
      summary: `Next service: ${instrument}`,
      description: identity,
      ...common,
    }
  }
  const { maintenanceId, start, end, reason, isRecurring } = entry
  const shownUntil = end ?? endOfDay(start > now ? start : now)
  const daysOpen = end === null ? Math.ceil((shownUntil.getTime() - start.getTime()) / DAY_MS) : 0
  return {
    id: isRecurring ? `maintenance-${maintenanceId}-${start.getTime()}` : `maintenance-${maintenanceId}`,
    sequence: sequence + daysOpen,
    start,
    end: shownUntil,
    summary: `Maintenance: ${instrument}`,
    description: [reason, identity, end === null && 'No end is planned.'].filter(Boolean).join('\n'),
    ...common,
  }
}

function endOfFile({ at }: CalendarEntry): Event {
  return {
    id: 'more',
    start: new Date(Math.floor(at / DAY_MS) * DAY_MS + DAY_MS),
    allDay: true,
    summary: 'This calendar ends here',
    description: 'There are more entries than a calendar can hold. Create one for fewer customers or for a saved view.',
  }
}

function endOfDay(at: Date): Date {
  return new Date(Math.floor(at.getTime() / DAY_MS) * DAY_MS + DAY_MS)
}
