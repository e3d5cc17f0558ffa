import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventFilterCategories, excluding } from '@benchwatch/contract/vocabulary'
import { seededRandom } from '@benchwatch/samples/seeded-random'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectDatabase, type DatabaseHandle, type Trx } from '../../../db/connect.ts'
import { startEventIndex } from '../../../event-index/index-search.ts'
import { createLog } from '../../../platform/log.ts'
import { type BusyFleet, prepareBusyFleet } from '../../../testing/busy-fleet.ts'
import { startWriters } from '../../../testing/event-writers.ts'
import {
  countsByName,
  plainCounts,
  plainMatches,
  plainOrder,
  plainPlaces,
  plainTotals,
} from '../../../testing/plain/plain-search.ts'
import { type PlainSnapshot, readPlainSnapshot } from '../../../testing/plain/plain-snapshot.ts'
import { questionsByCategory, type SearchQuestion, searchQuestions } from '../../../testing/plain/search-questions.ts'
import { propertyRun } from '../../../testing/property-run.ts'
import { TEST_NOW } from '../../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../../testing/test-database.ts'
import { readServiceEvents } from '../events.queries.ts'
import { findOrigins } from '../events.store.ts'
import type { Condition } from './condition.ts'
import { listEventLocations, listServiceEvents } from './event-list.queries.ts'
import type { EventSearch, SearchMoment } from './event-search.ts'
import { countFilterValues } from './filter-counts.queries.ts'
import { type EventQuery, type EventSelection, resolveSelection } from './filters.queries.ts'
import { createPostgresSearch, postgresSearch } from './postgres-search.ts'

/**
 * List, totals, map and export match a plain computation over all rows at any moment, while writers change everything.
 * Writers run freely; a reader takes snapshots and puts random questions to the queries and to the rows of the same
 * snapshot in memory. The interleaving of writers differs between runs, but a snapshot does not change, so a failing
 * question is shrunk there. `PROPERTY_SECONDS=300` runs longer than the suite does.
 */
const WRITERS = 5
/** Actions of the writers beside each snapshot, and beside each question. */
const PER_SNAPSHOT = 120
const PER_QUESTION = 8
/** Events of an episode; they are removed afterwards, because a small database has more to get wrong. */
const EPISODE_EVENTS = 1500
const SNAPSHOTS = 4
const QUESTIONS = 8
const EPISODES = 2
/** More episodes follow while something has not happened yet, up to this many. */
const MOST_EPISODES = 4
const SUITE_TIME_MS = 300_000

let database: TestDatabase
/** Every engine behind the door, and PostgreSQL in the way in which it reads larger data. */
let engines: Record<string, EventSearch>
/** An index that takes changes over while it is searched. */
let movingIndex: EventSearch
let dataDir: string
let writing: DatabaseHandle
let fleet: BusyFleet

beforeAll(async () => {
  database = await testDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'benchwatch-test-'))
  engines = {
    postgres: createPostgresSearch(),
    'postgres, texts one by one, long lists': createPostgresSearch({ readsTexts: true, plannedValues: 0 }),
  }
  writing = await connectDatabase({ connection: database.owner, poolSize: WRITERS })
  fleet = await prepareBusyFleet(database.db, { random: seededRandom(propertyRun.seed), now: TEST_NOW })
})
afterAll(async () => {
  await stopIndexes()
  await writing.close()
  await rm(dataDir, { recursive: true })
})

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
      searchedWhileMoving: 0,
      asked: {},
      by: Object.fromEntries(eventFilterCategories.flatMap(({ key }) => [key, excluding(key)]).map((key) => [key, 0])),
      deeds: {},
    }
    const isDone = () =>
      told.episodes >= MOST_EPISODES || (told.episodes >= EPISODES && neverHappened(told).length === 0)
    while (!isDone() || Date.now() < until) {
      await runEpisode(told).catch((error: unknown) => {
        throw new Error(`With PROPERTY_SEED=${propertyRun.seed}: ${String(error)}`, { cause: error })
      })
      told.episodes += 1
    }
    await annotate(JSON.stringify(told))
    // A run in which nothing happened proves nothing.
    expect(neverHappened(told)).toEqual([])
    expect(told.found).toBeGreaterThan(told.questions / 4)
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
  /** Answers of an index that took changes over in the meantime. */
  searchedWhileMoving: number
  /** Number of questions by filter. */
  asked: Record<string, number>
  /** Number of questions for one category alone. */
  by: Record<string, number>
  deeds: Record<string, number>
}

function neverHappened({ deeds, asked, by, moved, flags, searchedWhileMoving }: Told): string[] {
  const counts = { ...deeds, ...asked, ...by, moved, flags, searchedWhileMoving }
  return Object.entries(counts).flatMap(([what, count]) => (count === 0 ? [what] : []))
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
  await startIndexes()
  const writers = startWriters(writing.db, { fleet, seed, writers: WRITERS, now: TEST_NOW, maxEvents: EPISODE_EVENTS })
  const random = seededRandom(seed)
  const customers = new Map<string, number>()
  try {
    writers.allow(PER_SNAPSHOT)
    for (let snapshots = 0; snapshots < SNAPSHOTS; ) {
      const isTaken = await inSnapshot(async (trx) => {
        const moments = Object.entries(engines).map(([name, engine]) => ({ name, moment: engine.begin() }))
        const snapshot = await readPlainSnapshot(trx)
        if (snapshot.events.length === 0) return false
        expectFlagsFollowContracts(snapshot)
        expectCustomersStay(snapshot, customers)
        await fc.assert(
          fc.asyncProperty(searchQuestions(snapshot, TEST_NOW), async (asked) => {
            writers.allow(PER_QUESTION)
            told.questions += 1
            countAsked(told.asked, asked)
            const expected = plainAnswer(snapshot, asked)
            for (const engine of moments) await expectEqual(trx, { asked, expected, ...engine })
            if (expected.ordered.length > 0) told.found += 1
            await expectOneMoment(asked)
            if (await searchWhileTheIndexMoves(asked)) told.searchedWhileMoving += 1
          }),
          { seed: random.integer(0, 2 ** 31 - 1), numRuns: QUESTIONS },
        )
        for (const { category, search } of questionsByCategory(snapshot, { random, now: TEST_NOW })) {
          const wanted = { search, scope: 'all', now: TEST_NOW } as const
          const selection = await resolveSelection(trx, wanted)
          const expected = plainTotals(snapshot.events, wanted)
          for (const { name, moment } of moments) {
            const { totals } = await moment.find(trx, selection, null)
            expect(totals, `${name}: ${JSON.stringify(search.filter)}`).toEqual(expected)
          }
          told.by[category] = (told.by[category] ?? 0) + 1
        }
        told.events += snapshot.events.length
        told.moved += snapshot.events.filter(({ hasMoved }) => hasMoved).length
        told.flags += snapshot.events.filter(({ expectedFullSupport }) => expectedFullSupport).length
        return true
      })
      if (!isTaken) continue
      snapshots += 1
      writers.allow(PER_SNAPSHOT)
    }
    told.snapshots += SNAPSHOTS
  } finally {
    await writers.stop()
    for (const [deed, count] of Object.entries(writers.actions)) told.deeds[deed] = (told.deeds[deed] ?? 0) + count
  }
  await expectOriginsAreThoseOfTheEvents()
}

function inSnapshot<T>(read: (trx: Trx) => Promise<T>): Promise<T> {
  return database.db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read)
}

/** Returns what a plain look at all rows answers, the same for every engine. */
function plainAnswer(snapshot: PlainSnapshot, { search, scope, now, page }: SearchQuestion) {
  const wanted = { search, scope, now }
  const found = snapshot.events.filter((event) => plainMatches(event, wanted)).map(({ alarm }) => alarm)
  const ordered = plainOrder(found, page)
  const rows = new Map(found.map((alarm) => [alarm.id, alarm]))
  const onPage = ordered.slice(page.offset, page.offset + page.limit)
  return {
    ordered,
    onPage,
    rows: onPage.map((id) => rows.get(id)),
    totals: plainTotals(snapshot.events, wanted),
    places: plainPlaces(snapshot.events, wanted),
    counts: plainCounts(snapshot.events, wanted),
  }
}

/** Compares what an engine finds with the rows. */
async function expectEqual(
  trx: Trx,
  {
    asked,
    expected,
    name,
    moment,
  }: { asked: SearchQuestion; expected: ReturnType<typeof plainAnswer>; name: string; moment: SearchMoment },
): Promise<void> {
  const { search, scope, now, page } = asked
  const wanted = { search, scope, now }
  const selection = await resolveSelection(trx, wanted)

  const found = await moment.find(trx, selection, page)
  expect(found.totals, name).toEqual(expected.totals)
  expect(found.ids.map(String), name).toEqual(expected.onPage)
  expect(await readServiceEvents(trx, { ids: found.ids, scope }), name).toMatchObject(expected.rows)
  expect(await onTheMap(trx, { search, scope, now, moment }), name).toEqual(expected.places)

  const eventSearch = { ...postgresSearch, begin: () => moment }
  const { values } = await countFilterValues({ db: trx, eventSearch }, wanted)
  expect(countsByName(values), name).toEqual(expected.counts)

  const named: Condition = { is: 'anyOf', column: 'id', values: asked.ids.map(Number) }
  const chosen = await allIds(moment.each(trx, { ...selection, filter: both(selection.filter, named) }, page))
  expect(chosen, name).toEqual(expected.ordered.filter((id) => asked.ids.includes(id)))
  const others: Condition = { is: 'not', of: named }
  const rest = await allIds(moment.each(trx, { ...selection, filter: both(selection.filter, others) }, page))
  expect(rest, name).toEqual(expected.ordered.filter((id) => !asked.ids.includes(id)))
}

function both(...of: Condition[]): EventSelection['filter'] {
  return { is: 'all', of }
}

async function allIds(batches: AsyncIterable<readonly number[]>): Promise<string[]> {
  const ids: string[] = []
  for await (const batch of batches) ids.push(...batch.map(String))
  return ids
}

async function onTheMap(
  trx: Trx,
  { moment, ...wanted }: { search: EventQuery; scope: SearchQuestion['scope']; now: Date; moment: SearchMoment },
): Promise<ReturnType<typeof plainPlaces>> {
  const eventSearch = { ...postgresSearch, begin: () => moment }
  const { values, total } = await listEventLocations({ db: trx, eventSearch }, wanted)
  const places = values.map(
    ({ alarm, total: _total, ...counts }) =>
      [`${alarm.instrumentLocationLatitude} ${alarm.instrumentLocationLongitude}`, counts] as const,
  )
  return { places: new Map(places), eventsWithoutPosition: total.eventsWithoutPosition }
}

/** Checks the list on its own, outside the snapshot: its page and its totals must be of one moment. */
async function expectOneMoment({ search, scope, now, page }: SearchQuestion): Promise<void> {
  for (const eventSearch of [createPostgresSearch(), movingIndex]) {
    const { values, total } = await listServiceEvents({ db: database.db, eventSearch }, { search, scope, now, page })
    expect(values).toHaveLength(Math.min(page.limit, Math.max(0, total.events - page.offset)))
  }
}

/**
 * Checks that an index that moves during a search still answers for its snapshot, or asks it to start again. Returns
 * whether it answered.
 */
async function searchWhileTheIndexMoves({ search, scope, now }: SearchQuestion): Promise<boolean> {
  const moment = movingIndex.begin()
  return inSnapshot(async (trx) => {
    const selection = await resolveSelection(trx, { search, scope, now })
    const plain = await createPostgresSearch().begin().find(trx, selection, null)
    const { totals } = await moment.find(trx, selection, null)
    expect(totals).toEqual(plain.totals)
    return true
  }).catch((error: unknown) => {
    if ((error as { code?: string }).code === '40001') return false
    throw error
  })
}

/** Starts indexes of the empty database. One takes nothing over, so changes are laid over what it holds. */
async function startIndexes(): Promise<void> {
  await stopIndexes()
  const start = async (name: string, advanceMs: number) => {
    const folder = join(dataDir, `${name}-${randomBytes(4).toString('hex')}`)
    await mkdir(folder)
    const index = startEventIndex({ database, dataDir: folder, log: createLog('silent'), worthFrom: -1, advanceMs })
    await expect.poll(() => index.state()).toMatchObject({ engine: 'index', isReady: true })
    return index
  }
  engines['index'] = await start('index', SUITE_TIME_MS * 100)
  movingIndex = await start('moving', 250)
}

async function stopIndexes(): Promise<void> {
  await Promise.all([engines['index']?.stop(), movingIndex?.stop()])
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

async function expectOriginsAreThoseOfTheEvents(): Promise<void> {
  const origins = () =>
    database.db
      .selectFrom('event_origin')
      .selectAll()
      .orderBy('customer_id')
      .orderBy('site_id')
      .orderBy('component_id')
      .execute()
  const kept = await origins()
  await database.db.deleteFrom('event_origin').execute()
  await database.db.transaction().execute((trx) => findOrigins(trx))
  expect(kept).toEqual(await origins())
}

async function forgetEvents(): Promise<void> {
  await database.db.deleteFrom('service_event').execute()
  await database.db.deleteFrom('event_origin').execute()
}
