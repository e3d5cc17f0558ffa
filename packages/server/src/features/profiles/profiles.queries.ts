import type {
  NotificationSettings,
  Profile,
  previewProfile as previewProfileRoute,
} from '@benchwatch/contract/messages/profiles'
import type { RouteTypes } from '@benchwatch/contract/route'
import type { NotificationGate, NotificationKind } from '@benchwatch/contract/vocabulary'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { DataScope } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import type { ProfileTable } from '../../db/schema/people.ts'
import { rowId } from '../../db/sql/wire-id.ts'
import { readServiceEvents } from '../events/events.queries.ts'
import { customersOfUser, NO_NAME, scopeOf } from '../users/users.lookup.ts'
import { decide, type NotificationCandidate, type PreparedRecipient, prepare, type Recipient } from './decision.ts'
import { type AnnouncedEvent, readNotifiedEvents } from './event-facts.queries.ts'
import { defaultSettings, type ProfileSettings, profileTypes } from './profile-settings.ts'

/** An assignment of an event to a user, read from the audit log because the event may have another owner by now. */
export interface Assignment {
  eventId: number
  userId: number
  /** Null if the product or another system made the assignment. */
  byId: number | null
}

export type ProfileRow = Selectable<ProfileTable>

/** Returns a user's profiles in the order of `profileTypes`, without those that are not stored yet. */
export async function listProfiles(db: Db, userId: number): Promise<Profile[]> {
  const rows = await db.selectFrom('profile').selectAll().where('user_id', '=', userId).execute()
  return profileTypes.flatMap((profileType) => {
    const row = rows.find((candidate) => candidate.profile_type === profileType)
    return row ? [profileOf(row)] : []
  })
}

/** Returns the user's own profile with this wire id; undefined for invalid ids and for other users' profiles. */
export async function findProfile(
  db: Db,
  { id, userId, lock = false }: { id: string; userId: number; lock?: boolean },
): Promise<ProfileRow | undefined> {
  return db
    .selectFrom('profile')
    .selectAll()
    .where('id', '=', rowId(id) ?? null)
    .where('user_id', '=', userId)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst()
}

/** Converts a profile to its wire format. */
export function profileOf({ id, user_id, profile_type, settings, ...row }: ProfileRow): Profile {
  return {
    id: String(id),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    userId: String(user_id),
    profileType: profile_type,
    ...settings,
  } as unknown as Profile
}

/**
 * Returns one assignment to the user for each of these events: the last one by another user, because that one causes a
 * notification, else the last one by the user. Reads either one event or all events since a time.
 */
export async function readAssignments(
  db: Db,
  { userId, ...which }: { userId: number } & ({ eventId: number } | { since: Date }),
): Promise<Assignment[]> {
  const condition: RawBuilder<boolean> =
    'since' in which ? sql`at >= ${which.since}` : sql`entity_id = ${String(which.eventId)}`
  const { rows } = await sql<{ event_id: number; by_id: number | null }>`
    SELECT DISTINCT ON (entity_id) entity_id::bigint AS event_id,
      CASE WHEN actor_type = 'user' THEN actor_id::int END AS by_id
    FROM audit
    WHERE entity_type = 'service_event' AND property = 'claimedBy' AND new_value = ${String(userId)} AND ${condition}
    ORDER BY entity_id, coalesce(actor_type = 'user' AND actor_id = ${String(userId)}, false), entity_seq DESC`.execute(
    db,
  )
  return rows.map(({ event_id, by_id }) => ({ eventId: event_id, userId, byId: by_id }))
}

/** Returns all enabled users whose 'All Events' profile has a channel switched on. */
export function readNewEventRecipients(db: Db): Promise<Recipient[]> {
  return readWhere(
    db,
    sql<boolean>`u.disabled_at IS NULL AND EXISTS (
      SELECT 1 FROM profile a WHERE a.user_id = u.id AND a.profile_type = 'new_event_notification'
        AND (a.settings @> '{"notifyEmail": true}' OR a.settings @> '{"notifySms": true}'))`,
  )
}

/** Returns these users, including disabled ones and those who never opened the settings. Unknown ids are left out. */
export function readRecipients(db: Db, userIds: readonly number[]): Promise<Recipient[]> {
  return readWhere(db, sql<boolean>`u.id = ANY(${[...userIds]}::int[])`)
}

async function readWhere(db: Db, who: RawBuilder<boolean>): Promise<Recipient[]> {
  const rows = await db
    .selectFrom('app_user as u')
    .where('u.role', '<>', 'system')
    .where(who)
    .select([
      'u.id',
      'u.name',
      'u.email',
      'u.msisdn',
      'u.disabled_at',
      'u.all_customers',
      customersOfUser,
      sql<Partial<ProfileSettings> | null>`(
        SELECT jsonb_object_agg(p.profile_type, p.settings) FROM profile p WHERE p.user_id = u.id)`.as('profiles'),
      // The user's own value, else the deployment's, else off (3-decisions 5).
      sql<boolean>`coalesce((
        SELECT f.value FROM feature_flag f
        WHERE f.key = 'NOTIFY_UNDER_REVIEW' AND (f.user_id = u.id OR f.user_id IS NULL)
        ORDER BY f.user_id NULLS LAST LIMIT 1), false)`.as('notifies_under_review'),
    ])
    .orderBy('u.id')
    .execute()
  return rows.map((row) => {
    const { email, ...profiles } = { ...defaultSettings, ...row.profiles }
    return {
      userId: row.id,
      name: row.name ?? NO_NAME,
      scope: scopeOf(row),
      isDisabled: row.disabled_at !== null,
      notifiesUnderReview: row.notifies_under_review,
      loginEmail: row.email,
      msisdn: row.msisdn,
      email,
      profiles,
    }
  })
}

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
