import type { EventFilter } from '@benchwatch/contract/events/events'
import {
  contractClocks,
  type EventFilterCategory,
  eventFilterCategories,
  eventOrderBy,
  excluding,
  type FilterKey,
  instrumentStatuses,
} from '@benchwatch/contract/vocabulary'
import type { SeededRandom } from '@benchwatch/samples/seeded-random'
import fc from 'fast-check'
import type { DataScope } from '../../db/actor.ts'
import type { Page } from '../../features/events/search/event-search.ts'
import type { EventQuery } from '../../features/events/search/filters.queries.ts'
import { plainValueOf } from './plain-search.ts'
import type { PlainSnapshot, SnapshotEvent } from './plain-snapshot.ts'

/** A search for events at one moment. */
export interface SearchQuestion {
  search: EventQuery
  scope: DataScope
  now: Date
  page: Page
  /** Ids of an export: some that exist, some that don't. */
  ids: string[]
}

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/**
 * Generates searches from the content of a snapshot: its values in other spellings, and values that no event has;
 * times of events, times a millisecond off, and midnights.
 */
export function searchQuestions(snapshot: PlainSnapshot, around: Date): fc.Arbitrary<SearchQuestion> {
  const event = anEventOf(snapshot.events)
  const instant = someInstant({ event, around })
  const scope = fc.oneof(
    { weight: 2, arbitrary: fc.constant<DataScope>('all') },
    { weight: 3, arbitrary: fc.subarray(snapshot.customers.map(({ id }) => id)) },
  )
  const page = fc.record({
    // Half of the time, the default order of the list.
    orderBy: fc.oneof(fc.constant('createdAt' as const), fc.constantFrom(...eventOrderBy)),
    order: fc.constantFrom('ASC', 'DESC'),
    limit: fc.oneof(fc.constant(12), fc.integer({ min: 1, max: 100 })),
    offset: fc.oneof(fc.constant(0), fc.nat({ max: 40 }), fc.nat({ max: snapshot.events.length + 3 })),
  })
  const flags = fc.oneof(
    { weight: 1, arbitrary: fc.constant(NO_FLAGS) },
    {
      weight: 1,
      arbitrary: fc.record({ noOwner: fc.boolean(), noAction: fc.boolean(), fullSupport: fc.boolean() }),
    },
  )
  // Most ranges run forwards.
  const range = fc
    .record({ start: orNothing(instant), stop: orNothing(instant), backwards: fc.nat({ max: 5 }) })
    .map(({ start, stop, backwards }) =>
      start && stop && start > stop && backwards > 0 ? { start: stop, stop: start } : { start, stop },
    )
  const unfiltered = range.map(({ start, stop }): EventQuery => ({ filter: {}, flags: NO_FLAGS, start, stop }))
  const filtered = fc
    .record({
      range,
      flags,
      filter: someFilter(snapshot, { event, now: around, categories: { min: 0, max: 3 } }),
      keyword: orNothing(someKeyword(snapshot.events)),
      positions: orNothing(somePositions(event)),
    })
    .map(({ range: { start, stop }, ...rest }): EventQuery => ({ ...rest, start, stop }))
  // A single category without a range, so that nothing hides an event that it finds wrongly.
  const filteredOnce = someFilter(snapshot, { event, now: around, categories: { min: 1, max: 1 } }).map(
    (filter): EventQuery => ({ filter, flags: NO_FLAGS }),
  )
  return fc.record({
    search: fc.oneof(
      { weight: 2, arbitrary: unfiltered },
      { weight: 4, arbitrary: filtered },
      { weight: 2, arbitrary: filteredOnce },
    ),
    scope,
    now: fc.oneof(
      fc.constant(around),
      instant,
      dueInstant(event),
      fc.constant(new Date(around.getTime() - 50 * DAY_MS)),
    ),
    page,
    ids: fc.array(
      fc.oneof(
        event.map(({ alarm }) => alarm.id),
        fc.nat({ max: 200_000 }).map(String),
      ),
      { maxLength: 20 },
    ),
  })
}

/**
 * Returns two searches for each category alone, without a range: one for a value that some event has, one without it.
 * Skips categories without values.
 */
export function questionsByCategory(
  { events }: PlainSnapshot,
  { random, now }: { random: SeededRandom; now: Date },
): { category: FilterKey<EventFilterCategory>; search: EventQuery }[] {
  return eventFilterCategories.flatMap(({ key }) => {
    const values = [...new Set(events.flatMap(({ alarm }) => plainValueOf[key](alarm, now) ?? []))]
    if (values.length === 0) return []
    const chosen = [random.pick(values)]
    return [key, excluding(key)].map((member) => ({
      category: member,
      search: { filter: { [member]: chosen }, flags: NO_FLAGS },
    }))
  })
}

/** Undefined half of the time. */
function orNothing<T>(given: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.option(given, { nil: undefined, freq: 2 })
}

const NO_FLAGS = { noOwner: false, noAction: false, fullSupport: false }

function anEventOf(events: readonly SnapshotEvent[]): fc.Arbitrary<SnapshotEvent> {
  if (events.length === 0) throw new Error('There is no event to ask about.')
  return fc.nat({ max: events.length - 1 }).map((index) => events[index] as SnapshotEvent)
}

/** Rules that hold "from" and "before" an instant differ only at the instant itself. */
const beside = fc.constantFrom(0, 0, 0, -1, 1)

function someInstant({ event, around }: { event: fc.Arbitrary<SnapshotEvent>; around: Date }): fc.Arbitrary<Date> {
  const ofEvent = event.map(({ alarm }) => Date.parse(alarm.createdAt))
  const midnight = fc.integer({ min: -41, max: 3 }).map((days) => Math.floor(around.getTime() / DAY_MS + days) * DAY_MS)
  const anywhere = fc.integer({ min: -41 * 144, max: 3 * 144 }).map((tens) => around.getTime() + tens * 10 * MINUTE_MS)
  const at = fc.oneof(
    { weight: 4, arbitrary: ofEvent },
    { weight: 1, arbitrary: midnight },
    { weight: 1, arbitrary: anywhere },
  )
  return fc.tuple(at, beside).map(([instant, by]) => new Date(instant + by))
}

/**
 * Generates the instant at which an event is exactly 2, 20 or 24 hours old (no owner, contract clock), or exactly 24 hours
 * without action.
 */
function dueInstant(event: fc.Arbitrary<SnapshotEvent>): fc.Arbitrary<Date> {
  return fc
    .tuple(event, fc.constantFrom(null, null, 2, 2, 20, 24), beside)
    .map(
      ([{ alarm, lastActionAt }, hours, by]) =>
        new Date(
          (hours === null ? lastActionAt.getTime() + DAY_MS : Date.parse(alarm.createdAt) + (hours * DAY_MS) / 24) + by,
        ),
    )
}

const respell = fc.constantFrom<(text: string) => string>(
  (text) => text,
  (text) => text.toUpperCase(),
  (text) => text.toLowerCase(),
)

function someFilter(
  snapshot: PlainSnapshot,
  {
    event,
    now,
    categories,
  }: { event: fc.Arbitrary<SnapshotEvent>; now: Date; categories: { min: number; max: number } },
): fc.Arbitrary<EventFilter> {
  const others: Partial<Record<EventFilterCategory, string[]>> = {
    owner: snapshot.users.map(({ id }) => String(id)),
    enterpriseName: snapshot.customers.map(({ name }) => name),
    instrumentStatus: [...instrumentStatuses],
    contractClock: [...contractClocks],
  }
  const category = fc.oneof(
    fc.constantFrom(...eventFilterCategories.map(({ key }) => key)),
    // Categories with special rules: no owner, and current values of the instrument.
    fc.constantFrom('owner' as const, 'instrumentStatus' as const, 'contractSLA' as const, 'contractClock' as const),
  )
  const named = category.chain((key) => {
    const ofEvents = fc
      .tuple(event, respell)
      .map(([{ alarm }, spell]) => spell(plainValueOf[key](alarm, now) ?? 'no such value'))
    const value = fc.oneof(
      { weight: 2, arbitrary: ofEvents },
      { weight: 1, arbitrary: fc.constantFrom(...(others[key] ?? ['no such value'])) },
    )
    const member = fc.constantFrom(key, key, excluding(key))
    return fc.tuple(member, fc.array(value, { minLength: categories.min, maxLength: 4 }))
  })
  return fc
    .array(named, { minLength: categories.min, maxLength: categories.max })
    .map((entries) => Object.fromEntries(entries) as EventFilter)
}

function someKeyword(events: readonly SnapshotEvent[]): fc.Arbitrary<string> {
  const event = anEventOf(events)
  const fields = [
    'description',
    'userMessage',
    'componentName',
    'instrumentProductDescription',
    'instrumentDefinedSystemName',
    'instrumentInstalledProductId',
    'enterpriseName',
    'siteCity',
    'siteCountry',
    'claimedByName',
    'eventId',
  ] as const
  const piece = fc
    .tuple(event, fc.constantFrom(...fields), fc.nat({ max: 20 }), fc.integer({ min: 1, max: 8 }), respell)
    .map(([{ alarm }, field, from, length, spell]) =>
      spell([...(alarm[field] ?? '')].slice(from, from + length).join('')),
    )
  const number = fc
    .tuple(event, fc.integer({ min: 1, max: 6 }), fc.constantFrom('', 'ORC-', 'orc-'))
    .map(([{ alarm }, length, prefix]) => prefix + alarm.eventId.slice(0, length))
  // As for the related events of an event; all equally likely, including those of gateways.
  const installedProducts = [...new Set(events.map(({ alarm }) => alarm.instrumentInstalledProductId))]
  const installedProduct = fc.constantFrom(...installedProducts)
  const word = fc.oneof(
    piece,
    piece,
    number,
    installedProduct,
    fc.constantFrom('100%', '_', '\\', 'orc-', 'ß', 'Łab', 'no-such-word'),
  )
  const words = fc.array(word, { maxLength: 3 }).map((some) => some.join(' '))
  return fc.oneof({ weight: 3, arbitrary: words }, { weight: 1, arbitrary: installedProduct })
}

function somePositions(event: fc.Arbitrary<SnapshotEvent>): fc.Arbitrary<[number, number][]> {
  const position = fc.tuple(event, fc.constantFrom(0, 0, 0, 1)).map(([{ alarm }, by]): [number, number] => {
    const { instrumentLocationLatitude: latitude, instrumentLocationLongitude: longitude } = alarm
    return [Number(((latitude ?? 1) + by / 1e5).toFixed(5)), longitude ?? 1]
  })
  return fc.array(position, { maxLength: 3 })
}
