import { eventFilterCategories } from '@benchwatch/contract/vocabulary'
import { seededRandom } from '@benchwatch/samples/seeded-random'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectDatabase, type DatabaseHandle, type Trx } from '../../../db/connect.ts'
import { serviceEvents } from '../../../db/scoped.ts'
import { type BusyFleet, prepareBusyFleet } from '../../../testing/busy-fleet.ts'
import { startWriters } from '../../../testing/event-writers.ts'
import { plainMatches, plainOrder, plainPlaces, plainTotals } from '../../../testing/plain/plain-search.ts'
import { type PlainSnapshot, readPlainSnapshot } from '../../../testing/plain/plain-snapshot.ts'
import { questionsByCategory, type SearchQuestion, searchQuestions } from '../../../testing/plain/search-questions.ts'
import { propertyRun } from '../../../testing/property-run.ts'
import { TEST_NOW } from '../../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../../testing/test-database.ts'
import { ColumnStore, type ColumnView } from '../columns/column-store.ts'
import { readServiceEvents } from '../events.queries.ts'
import { listServiceEvents } from './event-list.queries.ts'
import { atPositions } from './event-locations.queries.ts'
import { listEventIds } from './event-page.queries.ts'
import { type EventQuery, resolveSelection } from './filters.queries.ts'
import { type EventSelection, matches } from './filters.ts'
import { readTotals } from './totals.queries.ts'
import { foldTotals, rebuildTotals } from './totals.store.ts'

/**
 * List, totals, map and export match a plain computation over all rows at any moment, while writers change everything.
 * Writers run freely; a reader takes snapshots and puts random questions to the queries and to the rows of the same
 * snapshot in memory. The interleaving of writers differs between runs, but a snapshot does not change, so a failing
 * question is shrunk there. `PROPERTY_SECONDS=300` runs longer than the suite does.
 */
const WRITERS = 5
/**
 * Events of an episode; they are removed afterwards, because small and young rollups have more to get wrong than large
 * ones.
 */
const EPISODE_EVENTS = 1500
const SNAPSHOTS = 6
const QUESTIONS = 10
const EPISODES = 2
const SUITE_TIME_MS = 90_000

let database: TestDatabase
let columns: ColumnStore
/** Columns that are brought up to date while they are searched. */
let movingColumns: ColumnStore
let writing: DatabaseHandle
let fleet: BusyFleet

beforeAll(async () => {
  database = await testDatabase()
  columns = new ColumnStore(database)
  movingColumns = new ColumnStore(database)
  writing = await connectDatabase({ connection: database.owner, poolSize: WRITERS })
  fleet = await prepareBusyFleet(database.db, { random: seededRandom(propertyRun.seed), now: TEST_NOW })
})
afterAll(() => writing.close())

test(
  'what searches find equals a plain scan while everything is written at once',
  async ({ annotate }) => {
    const until = Date.now() + propertyRun.seconds * 1000
    const told: Told = {
      episodes: 0,
      snapshots: 0,
      questions: 0,
      found: 0,
      events: 0,
      moved: 0,
      flags: 0,
      searchedInColumns: 0,
      asked: {},
      inColumnsBy: Object.fromEntries(eventFilterCategories.map(({ key }) => [key, 0])),
      deeds: {},
    }
    while (told.episodes < EPISODES || Date.now() < until) {
      await runEpisode(told).catch((error: unknown) => {
        throw new Error(`With PROPERTY_SEED=${propertyRun.seed}: ${String(error)}`, { cause: error })
      })
      told.episodes += 1
    }
    await annotate(JSON.stringify(told))
    // A run in which nothing happened proves nothing.
    for (const [what, count] of Object.entries({ ...told.deeds, ...told.asked, ...told.inColumnsBy })) {
      expect(count, what).toBeGreaterThan(0)
    }
    expect(told.found).toBeGreaterThan(told.questions / 4)
    expect(told.moved).toBeGreaterThan(0)
    expect(told.flags).toBeGreaterThan(0)
    expect(told.searchedInColumns).toBeGreaterThan(0)
  },
  SUITE_TIME_MS + propertyRun.seconds * 1000,
)

interface Told {
  episodes: number
  snapshots: number
  questions: number
  /** Number of questions that matched at least one event. */
  found: number
  /**
   * Events compared, counted once per snapshot; how many of them belong to instruments that have moved, and how many
   * are open with the 24-hour flag.
   */
  events: number
  moved: number
  flags: number
  /** Answers of columns that were brought up to date meanwhile. */
  searchedInColumns: number
  /** Number of questions by filter. */
  asked: Record<string, number>
  /** Number of times that the columns were asked for one category alone. */
  inColumnsBy: Record<string, number>
  deeds: Record<string, number>
}

function countAsked(asked: Told['asked'], { search }: SearchQuestion): void {
  const { filter, keyword, positions, flags, start, stop } = search
  const used = {
    everything: !start && !stop && Object.keys(filter).length === 0,
    filter: Object.values(filter).some((values) => values?.length),
    start,
    stop,
    range: start && stop && start < stop,
    keyword,
    positions: positions?.length,
    ...flags,
  }
  for (const [what, isUsed] of Object.entries(used)) asked[what] = (asked[what] ?? 0) + (isUsed ? 1 : 0)
}

async function runEpisode(told: Told): Promise<void> {
  const seed = `${propertyRun.seed}-${told.episodes}`
  await forgetEvents()
  await columns.load()
  await movingColumns.load()
  const writers = startWriters(writing.db, { fleet, seed, writers: WRITERS, now: TEST_NOW, maxEvents: EPISODE_EVENTS })
  const random = seededRandom(seed)
  const customers = new Map<string, number>()
  try {
    for (let snapshots = 0; snapshots < SNAPSHOTS; ) {
      // Every other time only the changes since then are added to the columns.
      if (snapshots % 2 === 0) await columns.advance()
      const isTaken = await inSnapshot(async (trx) => {
        const view = columns.view()
        const snapshot = await readPlainSnapshot(trx)
        if (snapshot.events.length === 0) return false
        expectFlagsFollowContracts(snapshot)
        expectCustomersStay(snapshot, customers)
        await fc.assert(
          fc.asyncProperty(searchQuestions(snapshot, TEST_NOW), async (asked) => {
            told.questions += 1
            countAsked(told.asked, asked)
            if ((await expectEqual(trx, { snapshot, asked, view })) > 0) told.found += 1
            await expectOneMoment(asked)
            if (await searchesWhileColumnsMove(asked)) told.searchedInColumns += 1
          }),
          { seed: random.integer(0, 2 ** 31 - 1), numRuns: QUESTIONS },
        )
        for (const { category, search } of questionsByCategory(snapshot, random)) {
          if (await expectFoundInColumns(trx, { snapshot, search, view })) {
            told.inColumnsBy[category] = (told.inColumnsBy[category] ?? 0) + 1
          }
        }
        told.events += snapshot.events.length
        told.moved += snapshot.events.filter(({ hasMoved }) => hasMoved).length
        told.flags += snapshot.events.filter(({ expectedFullSupport }) => expectedFullSupport).length
        return true
      })
      if (isTaken) snapshots += 1
    }
    told.snapshots += SNAPSHOTS
  } finally {
    await writers.stop()
    for (const [deed, count] of Object.entries(writers.actions)) told.deeds[deed] = (told.deeds[deed] ?? 0) + count
  }
  await expectRollupsAreThoseOfTheEvents()
}

function inSnapshot<T>(read: (trx: Trx) => Promise<T>): Promise<T> {
  return database.db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read)
}

/** Compares every reader of a selection with the rows. Returns how many events match. */
async function expectEqual(
  trx: Trx,
  { snapshot, asked, view }: { snapshot: PlainSnapshot; asked: SearchQuestion; view: ColumnView },
): Promise<number> {
  const { search, scope, now, page } = asked
  const wanted = { search, scope, now }
  const expected = snapshot.events.filter((event) => plainMatches(event, wanted)).map(({ alarm }) => alarm)
  const selection = anotherWay(await resolveSelection(trx, wanted), asked.way)

  expect(await readTotals(trx, selection)).toEqual(plainTotals(snapshot.events, wanted))

  const ordered = plainOrder(expected, page).slice(page.offset, page.offset + page.limit)
  const ids = await listEventIds(trx, { selection, page, total: expected.length })
  expect(ids.map(String)).toEqual(ordered)
  // Read in the way that long lists are read.
  const asLong = await listEventIds(trx, { selection, page, total: Number.MAX_SAFE_INTEGER })
  expect(asLong.map(String)).toEqual(ordered)

  const inMemory = await view.search(trx, { selection, page })
  if (inMemory) {
    expect(inMemory.totals).toEqual(plainTotals(snapshot.events, wanted))
    if (inMemory.ids) expect(inMemory.ids.map(String)).toEqual(ordered)
    const customers = new Map(snapshot.customers.map(({ id, name }) => [id, name]))
    const ground = { sites: await view.sites(trx), customers }
    expect(onTheMap(atPositions(inMemory.places, ground))).toEqual(plainPlaces(snapshot.events, wanted))
  }

  const rows = await readServiceEvents(trx, { ids, scope })
  const plain = new Map(expected.map((alarm) => [alarm.id, alarm]))
  expect(rows).toMatchObject(ordered.map((id) => plain.get(id)))

  expect(await placesOf(trx, selection)).toEqual(plainPlaces(snapshot.events, wanted))

  const exported = expected.map(({ id }) => id)
  expect(await exportedIds(trx, { selection, ids: asked.ids, isIncluded: true })).toEqual(
    new Set(exported.filter((id) => asked.ids.includes(id))),
  )
  expect(await exportedIds(trx, { selection, ids: asked.ids, isIncluded: false })).toEqual(
    new Set(exported.filter((id) => !asked.ids.includes(id))),
  )
  return expected.length
}

/** Compares the answer of the columns to an unrestricted search. Returns whether they gave one. */
async function expectFoundInColumns(
  trx: Trx,
  { snapshot, search, view }: { snapshot: PlainSnapshot; search: EventQuery; view: ColumnView },
): Promise<boolean> {
  const wanted = { search, scope: 'all', now: TEST_NOW } as const
  const answer = await view.search(trx, { selection: await resolveSelection(trx, wanted), page: null })
  if (answer) expect(answer.totals, JSON.stringify(search.filter)).toEqual(plainTotals(snapshot.events, wanted))
  return answer !== undefined
}

/** Returns the same selection in the form that larger data would give it. */
function anotherWay(selection: EventSelection, way: SearchQuestion['way']): EventSelection {
  if (way === 'texts the other way') return { ...selection, readsTexts: !selection.readsTexts }
  if (way === 'as resolved') return selection
  // No user has these ids.
  const nobody = Array.from({ length: 400 }, (_, index) => -index - 1)
  const long = (ids: number[]) => [...ids, ...nobody]
  const longOrNull = (ids: number[] | null) => ids && long(ids)
  return {
    ...selection,
    scope: selection.scope === 'all' ? 'all' : long([...selection.scope]),
    components: longOrNull(selection.components),
    sites: longOrNull(selection.sites),
    owners: selection.owners && { ...selection.owners, ids: long(selection.owners.ids) },
    instruments: selection.instruments && {
      ids: long(selection.instruments.ids),
      customersNow: longOrNull(selection.instruments.customersNow),
    },
    words: selection.words.map((word) => ({
      ...word,
      instruments: long(word.instruments),
      namedNow: { ids: long(word.namedNow.ids), customersNow: long(word.namedNow.customersNow) },
      gateways: long(word.gateways),
      components: long(word.components),
      customers: long(word.customers),
      sites: long(word.sites),
      owners: long(word.owners),
    })),
  }
}

function onTheMap({ values, eventsWithoutPosition }: ReturnType<typeof atPositions>): ReturnType<typeof plainPlaces> {
  const places = values.map(({ alarm, high, medium, low }): [string, object] => [
    `${alarm.instrumentLocationLatitude} ${alarm.instrumentLocationLongitude}`,
    { high, medium, low },
  ])
  return { places: new Map(places) as ReturnType<typeof plainPlaces>['places'], eventsWithoutPosition }
}

async function placesOf(trx: Trx, selection: EventSelection): Promise<ReturnType<typeof plainPlaces>> {
  const count = (severity: number) => sql<number>`count(*) FILTER (WHERE e.severity = ${severity})`
  const rows = await serviceEvents(trx, selection.scope)
    .innerJoin('site as s', 's.id', 'e.site_id')
    .where(matches(selection))
    .groupBy(['s.latitude', 's.longitude'])
    .select(['s.latitude', 's.longitude', count(3).as('high'), count(2).as('medium'), count(1).as('low')])
    .execute()
  const places: ReturnType<typeof plainPlaces>['places'] = new Map()
  let eventsWithoutPosition = 0
  for (const { latitude, longitude, high, medium, low } of rows) {
    if (latitude === null) eventsWithoutPosition += high + medium + low
    else places.set(`${Number(latitude)} ${Number(longitude)}`, { high, medium, low })
  }
  return { places, eventsWithoutPosition }
}

async function exportedIds(
  trx: Trx,
  { selection, ids, isIncluded }: { selection: EventSelection; ids: readonly string[]; isIncluded: boolean },
): Promise<Set<string>> {
  const isNamed = sql<boolean>`e.id = ANY(${ids.map(Number)}::bigint[])`
  const rows = await serviceEvents(trx, selection.scope)
    .where(matches(selection))
    .where(isIncluded ? isNamed : sql<boolean>`NOT ${isNamed}`)
    .select('e.id')
    .execute()
  return new Set(rows.map(({ id }) => String(id)))
}

/** Checks the list on its own, outside the snapshot: its page and its totals must come from one snapshot. */
async function expectOneMoment({ search, scope, now, page }: SearchQuestion): Promise<void> {
  const { values, total } = await listServiceEvents({ db: database.db, columns }, { search, scope, now, page })
  expect(values).toHaveLength(Math.min(page.limit, Math.max(0, total.events - page.offset)))
}

/**
 * Checks that columns that change during a search still answer for its snapshot, or ask it to start again. Returns
 * whether they answered.
 */
async function searchesWhileColumnsMove({ search, scope, now, columnsMove }: SearchQuestion): Promise<boolean> {
  const moving = columnsMove === 'at any moment' ? movingColumns.advance() : undefined
  const searching = inSnapshot(async (trx) => {
    const view = movingColumns.view()
    await sql`SELECT 1`.execute(trx)
    if (columnsMove === 'between') await movingColumns.advance()
    const selection = await resolveSelection(trx, { search, scope, now })
    const answer = await view.search(trx, { selection, page: null })
    if (answer) {
      expect(answer.totals).toEqual(await readTotals(trx, selection))
    }
    return answer !== undefined
  }).catch((error: unknown) => {
    if ((error as { code?: string }).code === '40001') return false
    throw error
  })
  const [answered] = await Promise.all([searching, moving])
  return answered
}

/** Checks that an event keeps the customer under whom it was raised, wherever its instrument goes. */
function expectCustomersStay({ events }: PlainSnapshot, known: Map<string, number>): void {
  const before = new Map(known)
  for (const { alarm, customerId } of events) known.set(alarm.id, customerId)
  const changed = [...before].filter(([id, customerId]) => known.get(id) !== customerId)
  expect(changed).toEqual([])
}

function expectFlagsFollowContracts({ events }: PlainSnapshot): void {
  const wrong = events.filter(
    ({ alarm, expectedFullSupport }) => expectedFullSupport !== null && expectedFullSupport !== alarm.fullSupport,
  )
  expect(wrong).toEqual([])
}

async function rollups() {
  const { db } = database
  return {
    deltas: await db.selectFrom('event_delta').selectAll().execute(),
    days: await db.selectFrom('event_day').selectAll().orderBy('day').execute(),
    customerDays: await db.selectFrom('event_day_customer').selectAll().orderBy('customer_id').orderBy('day').execute(),
    seen: await db
      .selectFrom('event_seen')
      .selectAll()
      .orderBy('customer_id')
      .orderBy('instrument_id')
      .orderBy('component_id')
      .orderBy('site_id')
      .execute(),
  }
}

async function expectRollupsAreThoseOfTheEvents(): Promise<void> {
  await foldTotals(database.db)
  const folded = await rollups()
  await database.db.transaction().execute((trx) => rebuildTotals(trx))
  expect(await rollups()).toEqual(folded)
}

async function forgetEvents(): Promise<void> {
  await database.db.deleteFrom('service_event').execute()
  await database.db.transaction().execute((trx) => rebuildTotals(trx))
}
