import type { EventFilter } from '@benchwatch/contract/events'
import {
  alertStatuses,
  closeReasons,
  instrumentStatuses,
  instrumentTypes,
  SYSTEM_OWNER,
  severities,
} from '@benchwatch/contract/vocabulary'
import { sql } from 'kysely'
import type { DataScope } from '../../../db/actor.ts'
import type { Db } from '../../../db/connect.ts'
import { fold } from '../../../db/fold.ts'
import { inScope, instruments } from '../../../db/scoped.ts'
import { chosenOf, customersNamed, isWanted, wantedNames } from '../../../db/sql/named-values.ts'
import { severityCodes } from '../../../db/sql/severity.ts'
import { alertStatusCodes, closeReasonCode, SYSTEM_USER_ID } from '../event-codes.ts'
import { type KeywordWord, keywordWords } from '../keyword.ts'
import type { EventSelection, QuickFilters, SelectedWord } from './filters.ts'

/** A search as requests carry it. Absent parts do not restrict. */
export interface EventSearch {
  filter: EventFilter
  /** Positions of sites in degrees; an empty list does not restrict. */
  positions?: readonly (readonly [number, number])[] | undefined
  keyword?: string | undefined
  start?: Date | undefined
  stop?: Date | undefined
  flags: QuickFilters
}

interface SelectionInput {
  search: EventSearch
  scope: DataScope
  now: Date
}

/**
 * Resolves the names in a search and returns the selection that every reader of events uses. Reads only small tables.
 * Spellings are compared here and not in the database, whose lower() depends on its locale.
 */
export async function resolveSelection(db: Db, { search, scope, now }: SelectionInput): Promise<EventSelection> {
  const { filter } = search
  const customers = await customersNamed(db, { names: filter.enterpriseName, scope })
  const alertTypes = wantedNames(filter.alertType)
  const words = await findWords(db, keywordWords(search.keyword ?? ''))
  return {
    scope: customers ?? scope,
    start: search.start ?? null,
    stop: search.stop ?? null,
    flags: search.flags,
    now,
    severities: chosenOf(severities, filter.severity)?.map((severity) => severityCodes[severity]) ?? null,
    alertTypes: alertTypes === null ? null : ['1', '2'].filter((type) => alertTypes.has(type)).map(Number),
    alertStatuses: chosenOf(alertStatuses, filter.alertStatus)?.map((status) => alertStatusCodes[status]) ?? null,
    closeReasons: chosenOf(closeReasons, filter.reasonClosed)?.map((reason) => closeReasonCode(reason)) ?? null,
    owners: ownersNamed(filter.owner),
    components: await componentsNamed(db, filter),
    sites: await sitesNamed(db, { search, scope: customers ?? scope }),
    instruments: await instrumentsNamed(db, filter),
    words,
    readsTexts: words.length > 0 && (await holdsFewEvents(db, search)),
  }
}

function ownersNamed(values: readonly string[] | undefined): EventSelection['owners'] {
  const names = wantedNames(values)
  if (names === null) return null
  const ids = [...names].filter((name) => /^[1-9]\d{0,8}$/.test(name)).map(Number)
  if (names.has(SYSTEM_OWNER.toLowerCase())) ids.push(SYSTEM_USER_ID)
  return { ids, none: names.has('none') }
}

async function componentsNamed(db: Db, filter: EventFilter): Promise<number[] | null> {
  const names = wantedNames(filter.componentName)
  const types = wantedNames(filter.componentType)
  if (names === null && types === null) return null
  const rows = await db.selectFrom('component').select(['id', 'name', 'type']).execute()
  return rows.filter((row) => isWanted(names, row.name) && isWanted(types, row.type)).map(({ id }) => id)
}

/** Finds sites by region, country, city and position. An event stays at the site where it was raised. */
async function sitesNamed(
  db: Db,
  { search: { filter, positions }, scope }: { search: EventSearch; scope: DataScope },
): Promise<number[] | null> {
  const regions = wantedNames(filter.siteRegion)
  const countries = wantedNames(filter.siteCountry)
  const cities = wantedNames(filter.siteCity)
  const places = positions?.length ? new Set(positions.map(([lat, lon]) => positionKey(lat, lon))) : undefined
  if (regions === null && countries === null && cities === null && places === undefined) return null
  const rows = await db
    .selectFrom('site as s')
    .where(inScope(scope, sql.ref('s.customer_id')))
    .select(['s.id', 's.region', 's.country', 's.city', 's.latitude', 's.longitude'])
    .execute()
  return rows
    .filter(
      (row) =>
        isWanted(regions, row.region) &&
        isWanted(countries, row.country) &&
        isWanted(cities, row.city) &&
        (places === undefined ||
          (row.latitude !== null &&
            row.longitude !== null &&
            places.has(positionKey(Number(row.latitude), Number(row.longitude))))),
    )
    .map(({ id }) => id)
}

/** Positions are stored and compared to five decimals, about a metre. */
function positionKey(latitude: number, longitude: number): string {
  return `${Math.round(latitude * 1e5)} ${Math.round(longitude * 1e5)}`
}

/**
 * Finds instruments by type, qualification, current status and current contract. The lookup covers all customers: an
 * instrument that has moved keeps its type for its former customer's events, while status and contract are compared
 * with the present owner.
 */
async function instrumentsNamed(db: Db, filter: EventFilter): Promise<EventSelection['instruments']> {
  const types = chosenOf(instrumentTypes, filter.instrumentType)
  const statuses = chosenOf(instrumentStatuses, filter.instrumentStatus)
  const qualified = chosenOf(['true', 'false'], filter.qualifiedSystem)
  const terms = wantedNames(filter.contractSLA)
  if (types === null && statuses === null && qualified === null && terms === null) return null
  const isOneOf = (column: string, values: readonly string[] | null, type: 'text' | 'boolean' = 'text') =>
    values === null ? sql<boolean>`true` : sql<boolean>`${sql.ref(column)} = ANY(${[...values]}::${sql.raw(type)}[])`
  const rows = await instruments(db, 'all')
    .leftJoin('contract as k', (join) =>
      join.onRef('k.id', '=', 'i.contract_id').onRef('k.customer_id', '=', 'i.customer_id'),
    )
    .where(isOneOf('i.type', types))
    .where(isOneOf('i.status', statuses))
    .where(isOneOf('i.qualified_system', qualified, 'boolean'))
    .where(isOneOf('k.sla_term', terms && (await contractTerms(db, terms))))
    .select(['i.id', 'i.customer_id'])
    .execute()
  return {
    ids: rows.map(({ id }) => id),
    customersNow: statuses === null && terms === null ? null : rows.map(({ customer_id }) => customer_id),
  }
}

/** Returns the terms as contracts spell them. */
async function contractTerms(db: Db, terms: ReadonlySet<string>): Promise<string[]> {
  const rows = await db.selectFrom('contract').select('sla_term').distinct().execute()
  return rows.flatMap(({ sla_term }) => (sla_term && terms.has(sla_term.toLowerCase()) ? [sla_term] : []))
}

/** Up to here reading the texts one by one was faster than the text index, even for rare words (20 ms). */
const FEW_EVENTS = 20_000

/** Uses the rollup of whole days, so it counts slightly too many, and misses the last seconds. */
async function holdsFewEvents(db: Db, { start, stop }: EventSearch): Promise<boolean> {
  if (!start) return false
  const day = (at: Date) => sql<string>`${at.toISOString().slice(0, 10)}::date`
  const { events } = await db
    .selectFrom('event_day')
    .where('day', '>=', day(start))
    .$if(stop !== undefined, (query) => query.where('day', '<=', day(stop ?? start)))
    .select(sql<number>`coalesce(sum(events), 0)::int8`.as('events'))
    .executeTakeFirstOrThrow()
  return events <= FEW_EVENTS
}

/** Finds each word in the small tables, in one statement; the scan searches the texts of events. */
async function findWords(db: Db, words: readonly KeywordWord[]): Promise<SelectedWord[]> {
  if (words.length === 0) return []
  const patterns = words.map(({ pattern }) => pattern)
  const wordTable = sql<{ pattern: string; position: number }>`
    unnest(${patterns}::text[]) WITH ORDINALITY`.as<'w'>(sql`w(pattern, position)`)
  const found = (kind: keyof SelectedWord, id: string) =>
    [
      sql.lit(kind).as('kind'),
      sql<number>`w.position::int`.as('position'),
      sql<number[]>`array_agg(${sql.ref(id)})`.as('ids'),
      sql<number[]>`'{}'::int[]`.as('customersNow'),
      sql<string | null>`null::text`.as('description'),
    ] as const
  const rows = await instruments(db, 'all')
    .innerJoin(wordTable, (join) => join.on(sql<boolean>`i.search_folded LIKE w.pattern`))
    .select([
      sql.lit<keyof SelectedWord>('instruments').as('kind'),
      sql<number>`w.position::int`.as('position'),
      sql<number[]>`array_agg(i.id)`.as('ids'),
      sql<number[]>`array_agg(i.customer_id)`.as('customersNow'),
      // Null where the installed product ID holds the word; otherwise the description does, or the name alone.
      sql<string | null>`CASE WHEN lower(i.installed_product_id) NOT LIKE w.pattern THEN i.product_description END`.as(
        'description',
      ),
    ])
    .groupBy(['w.position', 'description'])
    .unionAll(
      db
        .selectFrom('gateway as g')
        // Installed product IDs are ASCII, so lower() of any locale folds them.
        .innerJoin(wordTable, (join) => join.on(sql<boolean>`lower(g.installed_product_id) LIKE w.pattern`))
        .select(found('gateways', 'g.id'))
        .groupBy('w.position'),
    )
    .unionAll(
      db
        .selectFrom('component as k')
        .innerJoin(wordTable, (join) => join.on(sql<boolean>`k.name_folded LIKE w.pattern`))
        .select(found('components', 'k.id'))
        .groupBy('w.position'),
    )
    .unionAll(
      db
        .selectFrom('customer as c')
        .innerJoin(wordTable, (join) => join.on(sql<boolean>`c.name_folded LIKE w.pattern`))
        .select(found('customers', 'c.id'))
        .groupBy('w.position'),
    )
    .unionAll(
      db
        .selectFrom('site as s')
        .innerJoin(wordTable, (join) => join.on(sql<boolean>`s.place_folded LIKE w.pattern`))
        .select(found('sites', 's.id'))
        .groupBy('w.position'),
    )
    .unionAll(
      db
        .selectFrom('app_user as u')
        .innerJoin(wordTable, (join) => join.on(sql<boolean>`u.name_folded LIKE w.pattern`))
        .select(found('owners', 'u.id'))
        .groupBy('w.position'),
    )
    .execute()
  return words.map((word, index) => {
    const idsOf = (kind: keyof SelectedWord) =>
      rows.find((row) => row.kind === kind && row.position === index + 1)?.ids ?? []
    return {
      text: word.isShort ? null : word.text,
      textPattern: word.isShort ? null : word.pattern,
      ...instrumentsWith(
        word,
        rows.filter((row) => row.kind === 'instruments' && row.position === index + 1),
      ),
      gateways: idsOf('gateways'),
      components: idsOf('components'),
      customers: idsOf('customers'),
      sites: idsOf('sites'),
      owners: idsOf('owners'),
      eventIds: word.eventIds ?? [],
    }
  })
}

interface FoundInstruments {
  ids: number[]
  customersNow: number[]
  /** The description that the instruments share; null if their installed product ID holds the word. */
  description: string | null
}

/**
 * Finds instruments by their texts. Description and product ID stay with the instrument; its name is set by its
 * present customer. They are stored folded in one column with blanks between and within them, so the few distinct
 * descriptions are folded again.
 */
function instrumentsWith(
  { text }: KeywordWord,
  found: readonly FoundInstruments[],
): Pick<SelectedWord, 'instruments' | 'namedNow'> {
  const isOwn = ({ description }: FoundInstruments) => description === null || fold(description).includes(text)
  const named = found.filter((row) => !isOwn(row))
  return {
    instruments: found.filter(isOwn).flatMap(({ ids }) => ids),
    namedNow: { ids: named.flatMap(({ ids }) => ids), customersNow: named.flatMap((row) => row.customersNow) },
  }
}
