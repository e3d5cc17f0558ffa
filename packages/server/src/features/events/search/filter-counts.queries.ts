import type { FilterCounts } from '@benchwatch/contract/events/events'
import {
  contractClocks,
  type EventFilterCategory,
  eventFilterCategories,
  excluding,
} from '@benchwatch/contract/vocabulary'
import { sql } from 'kysely'
import type { DataScope } from '../../../db/actor.ts'
import { type Db, keyIn } from '../../../db/connect.ts'
import { inScope, instruments, readOfferedRuns } from '../../../db/scoped.ts'
import { severityOf } from '../../../db/sql/severity.ts'
import { inTransaction } from '../../../db/transaction.ts'
import { alertStatusOf, closeReasonOf, ownerOnWire } from '../event-codes.ts'
import {
  type CountedColumn,
  type CountQuestion,
  type EventSearch,
  type Searched,
  searchedBy,
  type ValueCount,
} from './event-search.ts'
import { clocksWith, type EventQuery, resolveForCounts } from './filters.queries.ts'

/**
 * Counts the events of each value of every filter category, all of one moment. A category without a choice shares one
 * question with the others; each category with one asks for itself, because its own values do not restrict its counts.
 */
export async function countFilterValues(
  { db, eventSearch }: { db: Db; eventSearch: EventSearch },
  { search, scope, now }: { search: EventQuery; scope: DataScope; now: Date },
): Promise<Searched & FilterCounts> {
  return inTransaction(
    db,
    async (trx) => {
      const moment = eventSearch.begin()
      const selectionFor = await resolveForCounts(trx, { search, scope, now })
      const offered = await readOfferedRuns(trx, scope)
      const runs = offered.map(({ id }) => id)
      const isChosen = (key: EventFilterCategory) =>
        Boolean(search.filter[key]?.length || search.filter[excluding(key)]?.length)
      const categories = columnCategories.map((key) => ({ key, asked: isChosen(key) ? key : null }))
      const questions = [...Map.groupBy(categories, ({ asked }) => asked)].map(([asked, of]) => ({
        keys: of.map(({ key }) => key),
        selection: selectionFor(asked),
        columns: [...new Set(of.map(({ key }) => columns[key]))],
        runs,
      }))
      const clocked = selectionFor('contractClock')
      const clocks = contractClocks.map(
        (clock): CountQuestion => ({
          selection: { ...clocked, filter: { is: 'all', of: [clocked.filter, clocksWith([clock], now)] } },
          // Every event has a type.
          columns: ['alertType'],
          runs,
        }),
      )
      const { counts, asOf } = await moment.count(trx, [...questions, ...clocks])
      const counted = counts.flatMap(({ instrument = [] }) => instrument.flatMap(({ value }) => value ?? []))
      const nameOf = await readNames(trx, { scope, runs: offered, instrumentIds: [...new Set(counted)] })
      const named = questions.flatMap(({ keys }, index) =>
        keys.map((key) => [key, summed(counts[index]?.[columns[key]] ?? [], nameOf[key])] as const),
      )
      const ofClocks = contractClocks.map((value, index) => ({
        value,
        events: (counts[questions.length + index]?.alertType ?? []).reduce((sum, { events }) => sum + events, 0),
      }))
      const byKey = new Map<string, FilterCounts['values'][number]['counts']>([
        ...named,
        ['contractClock', ofClocks.filter(({ events }) => events > 0)],
      ])
      const values = eventFilterCategories.map(({ key }) => ({ key, counts: byKey.get(key) ?? [] }))
      return { values, ...searchedBy(eventSearch, { asOf }) }
    },
    { isSnapshot: true },
  )
}

type ColumnCategory = Exclude<EventFilterCategory, 'contractClock'>

/** The column whose values decide about a category. The contract clock depends on several. */
const columns: Record<ColumnCategory, CountedColumn> = {
  alertStatus: 'alertStatus',
  alertType: 'alertType',
  severity: 'severity',
  owner: 'owner',
  reasonClosed: 'closeReason',
  componentName: 'component',
  componentType: 'component',
  instrumentType: 'instrument',
  qualifiedSystem: 'instrument',
  instrumentStatus: 'instrument',
  run: 'run',
  contractSLA: 'instrument',
  enterpriseName: 'customer',
  siteRegion: 'site',
  siteCountry: 'site',
  siteCity: 'site',
}

const columnCategories = Object.keys(columns) as ColumnCategory[]

/** Returns the value that a filter of the category would name; null for none. */
type NameOf = (count: ValueCount) => string | null | undefined

interface Named {
  scope: DataScope
  runs: readonly { id: number; name: string }[]
  instrumentIds: readonly number[]
}

/** Reads the small tables behind the columns. Current data of an instrument counts only for its present customer. */
async function readNames(db: Db, { scope, runs, instrumentIds }: Named): Promise<Record<ColumnCategory, NameOf>> {
  const [components, sites, customers, fleet] = await Promise.all([
    db.selectFrom('component').select(['id', 'name', 'type']).execute(),
    db
      .selectFrom('site as s')
      .where(inScope(scope, sql.ref('s.customer_id')))
      .select(['s.id', 's.region', 's.country', 's.city'])
      .execute(),
    db
      .selectFrom('customer as c')
      .where(inScope(scope, sql.ref('c.id')))
      .select(['c.id', 'c.name'])
      .execute(),
    instruments(db, 'all')
      .leftJoin('contract as k', (join) =>
        join.onRef('k.id', '=', 'i.contract_id').onRef('k.customer_id', '=', 'i.customer_id'),
      )
      .where(keyIn('i.id', instrumentIds))
      .select(['i.id', 'i.customer_id', 'i.type', 'i.qualified_system', 'i.status', 'k.sla_term'])
      .execute(),
  ])
  const component = byId(components)
  const run = byId(runs)
  const site = byId(sites)
  const customer = byId(customers)
  const instrument = byId(fleet)
  const present = ({ value, customerId }: ValueCount) => {
    const found = instrument(value)
    return found?.customer_id === customerId ? found : undefined
  }
  return {
    alertStatus: ({ value }) => (value === null ? null : alertStatusOf(value)),
    alertType: ({ value }) => value?.toString(),
    severity: ({ value }) => (value === null ? null : severityOf(value)),
    owner: ({ value }) => ownerOnWire(value) ?? 'none',
    reasonClosed: ({ value }) => closeReasonOf(value),
    componentName: ({ value }) => component(value)?.name,
    componentType: ({ value }) => component(value)?.type,
    instrumentType: ({ value }) => instrument(value)?.type,
    qualifiedSystem: ({ value }) => instrument(value)?.qualified_system?.toString(),
    instrumentStatus: (count) => present(count)?.status,
    run: ({ value }) => run(value)?.name,
    contractSLA: (count) => present(count)?.sla_term,
    enterpriseName: ({ value }) => customer(value)?.name,
    siteRegion: ({ value }) => site(value)?.region,
    siteCountry: ({ value }) => site(value)?.country,
    siteCity: ({ value }) => site(value)?.city,
  }
}

function byId<Row extends { id: number }>(rows: readonly Row[]): (id: number | null) => Row | undefined {
  const known = new Map(rows.map((row) => [row.id, row]))
  return (id) => (id === null ? undefined : known.get(id))
}

/** Sums counts by name. Filters ignore case, so names that differ only in case are one. */
function summed(counts: readonly ValueCount[], nameOf: NameOf): FilterCounts['values'][number]['counts'] {
  const sums = new Map<string, { value: string; events: number }>()
  for (const count of counts) {
    const value = nameOf(count)
    if (!value) continue
    const known = sums.get(value.toLowerCase())
    if (known) known.events += count.events
    else sums.set(value.toLowerCase(), { value, events: count.events })
  }
  return [...sums.values()]
}
