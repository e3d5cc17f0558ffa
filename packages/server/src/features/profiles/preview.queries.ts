import type {
  NotificationSettings,
  previewProfile as previewProfileRoute,
} from '@benchwatch/contract/messages/profiles'
import type { RouteTypes } from '@benchwatch/contract/route'
import type { NotificationGate, NotificationKind } from '@benchwatch/contract/vocabulary'
import type { DataScope } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import { readServiceEvents } from '../events/events.queries.ts'
import { decide, type NotificationCandidate, type PreparedRecipient, prepare } from './decision.ts'
import { type AnnouncedEvent, readNotifiedEvents } from './event-facts.queries.ts'
import { readAssignments, readRecipients } from './profiles.queries.ts'

type Preview = RouteTypes<typeof previewProfileRoute>['answer']

const DAYS = 7
const DAY_MS = 86_400_000
/** Number of matching events returned. */
const NEWEST = 20
/** Events per read: one hash join over this many is twice as fast as separate look-ups. */
const PAGE = 50_000

interface PreviewInput {
  kind: NotificationKind
  settings: NotificationSettings
  userId: number
  /** False in China, where no text messages are sent. */
  hasSms: boolean
  now: Date
}

/**
 * Returns the notifications that a profile would have caused in the last 7 days, and what stopped the other events
 * that the user may see. Includes events during maintenance, because users are notified of them afterwards.
 */
export async function previewProfile(db: Db, { kind, settings, userId, hasSms, now }: PreviewInput): Promise<Preview> {
  const [recipient] = await readRecipients(db, [userId])
  if (!recipient) throw new Error(`The user ${userId} is gone.`)
  const { scope } = recipient
  const prepared = prepare({ ...recipient, profiles: { ...recipient.profiles, [kind]: settings } }, { hasSms })
  const sent: number[] = []
  const stopped = new Map<NotificationGate, number>()
  const since = new Date(now.getTime() - DAYS * DAY_MS)
  const events =
    kind === 'new_event_notification' ? eventsSince(db, { scope, since }) : givenSince(db, { ...prepared, since })
  for await (const what of events) {
    const gate = decide(prepared, what)
    if (gate === null) sent.push(what.event.id)
    else stopped.set(gate, (stopped.get(gate) ?? 0) + 1)
  }
  const newest = await readServiceEvents(db, { ids: sent.slice(0, NEWEST), scope, viewerId: userId })
  return {
    days: DAYS,
    sent: sent.length,
    values: newest.map((alarm) => ({ alarm })),
    stopped: [...stopped].map(([gate, events]) => ({ gate, events })).sort((a, b) => b.events - a.events),
  }
}

type PreviewCandidate = NotificationCandidate & { event: AnnouncedEvent }

/** Yields new events, newest first. */
async function* eventsSince(
  db: Db,
  { scope, since }: { scope: DataScope; since: Date },
): AsyncGenerator<PreviewCandidate> {
  for (let before: AnnouncedEvent | null = null; ; ) {
    const page: AnnouncedEvent[] = await readNotifiedEvents(db, { scope, since, before, limit: PAGE })
    for (const event of page) yield { kind: 'new_event_notification', event }
    if (page.length < PAGE) return
    before = page.at(-1) ?? null
  }
}

/** Yields events assigned to the user, newest first. */
async function* givenSince(
  db: Db,
  { userId, scope, since }: Pick<PreparedRecipient, 'userId' | 'scope'> & { since: Date },
): AsyncGenerator<PreviewCandidate> {
  const assignments = new Map((await readAssignments(db, { userId, since })).map((one) => [one.eventId, one]))
  for (const event of await readNotifiedEvents(db, { scope, ids: [...assignments.keys()] })) {
    yield { kind: 'assign_me_notification', event, assignment: assignments.get(event.id) }
  }
}
