import type { EventFilter } from '@benchwatch/contract/events/events'
import type { EventFilterCategory } from '@benchwatch/contract/vocabulary'
import type { Client } from 'pg'
import type { BenchData, Viewer } from '../generate/bench-data.ts'
import type { ApiClient } from '../product/api-client.ts'

const DAY_MS = 86_400_000

export type RangeName = '7 days' | '30 days' | '1 year' | 'unbounded'

/** The range of a request; null leaves a side open. */
export interface Range {
  start: string | null
  stop: string | null
}

const daysOf = { '7 days': 7, '30 days': 30, '1 year': 365 }

/** Returns the range that the console requests: from the start of the first day to the end of today. */
export function rangeOf(name: RangeName, now = new Date()): Range {
  if (name === 'unbounded') return { start: null, stop: null }
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate())
  return { start: new Date(today - daysOf[name] * DAY_MS).toISOString(), stop: new Date(today + DAY_MS).toISOString() }
}

/** A value of a category, as in requests and as a condition in SQL. */
interface FilterValue {
  wire: string
  condition: string
}

/** The values of a viewer's filter panel, most frequent first; short lists are used repeatedly. */
export type FilterValues = Partial<Record<EventFilterCategory, FilterValue[]>>

/** Returns the scope of a viewer as a condition in SQL: `true`, or a list of customers. */
export async function scopeCondition(
  sql: Client,
  { data, viewer }: { data: BenchData; viewer: Viewer },
): Promise<string> {
  if (viewer === 'all') return 'true'
  const { rows } = await sql.query<{ id: number }>(
    'SELECT customer_id AS id FROM user_customer WHERE user_id = (SELECT id FROM app_user WHERE login = $1)',
    [data.logins[viewer]],
  )
  return `e.customer_id = ANY(${ids(rows)})`
}

const VALUES = 5

/** Reads the most frequent values within a scope from the small tables. */
export async function filterValues(sql: Client, scope: string): Promise<FilterValues> {
  const of = async (query: string, column: string): Promise<FilterValue[]> => {
    const { rows } = await sql.query<{ wire: string; ids: number[] }>(
      `${query.replace('$scope', scope)} GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT ${VALUES}`,
    )
    return rows.map((row) => ({
      wire: String(row.wire),
      condition: `e.${column} = ANY('{${[...new Set(row.ids)].join(',')}}'::int[])`,
    }))
  }
  const seen = 'FROM event_origin e'
  return {
    severity: ['high', 'medium', 'low'].map((wire, index) => ({ wire, condition: `e.severity = ${3 - index}` })),
    alertStatus: [{ wire: '3_CLOSED', condition: 'e.alert_status = 3' }],
    siteCountry: await of(
      `SELECT s.country AS wire, array_agg(s.id) AS ids ${seen} JOIN site s ON s.id = e.site_id WHERE $scope AND s.country IS NOT NULL`,
      'site_id',
    ),
    instrumentType: await of(
      `SELECT i.type AS wire, array_agg(i.id) AS ids FROM instrument i WHERE ${scope.replaceAll('e.', 'i.')}`,
      'instrument_id',
    ),
    componentType: await of(
      `SELECT k.type AS wire, array_agg(k.id) AS ids ${seen} JOIN component k ON k.id = e.component_id WHERE $scope`,
      'component_id',
    ),
    owner: await of(
      `SELECT u.id::text AS wire, array_agg(u.id) AS ids FROM app_user u WHERE login LIKE 'colleague-%'`,
      'claimed_by',
    ),
  }
}

function ids(rows: readonly { id: number }[]): string {
  return `'{${rows.map(({ id }) => id).join(',')}}'::int[]`
}

/** A search for both the product and SQL. */
export interface Search {
  range: Range
  filter: EventFilter
  /** The conditions of filter and scope, without the range. */
  conditions: string[]
}

/** Returns a search that restricts each of these categories to one value, which changes with the index. */
export function searchOf(
  { range, scope, values }: { range: Range; scope: string; values: FilterValues },
  categories: readonly EventFilterCategory[],
  index: number,
): Search {
  const chosen = categories.flatMap((category) => {
    const list = values[category] ?? []
    const value = list[index % list.length]
    return value ? [{ category, value }] : []
  })
  return {
    range,
    filter: Object.fromEntries(chosen.map(({ category, value }) => [category, [value.wire]])),
    conditions: [scope, ...chosen.map(({ value }) => value.condition)],
  }
}

interface ListAnswer {
  values: { alarm: { id: string } }[]
  total: { events: number }
}

/** Requests a page of the list with its totals. */
export function askList(
  client: ApiClient,
  { range, filter = {}, query = {} }: { range: Range; filter?: EventFilter; query?: Record<string, string> },
): Promise<ListAnswer> {
  const parameters = new URLSearchParams({ limit: '12', ...givenOf(range), ...query })
  return client.call<ListAnswer>('POST', `/api/alarms?${parameters.toString()}`, { filter })
}

/** Requests the counts that the filter panel shows. */
export function askCounts(
  client: ApiClient,
  { range, filter = {} }: { range: Range; filter?: EventFilter },
): Promise<unknown> {
  const parameters = new URLSearchParams(givenOf(range))
  return client.call('POST', `/api/alarms/filter-counts?${parameters.toString()}`, { filter })
}

function givenOf({ start, stop }: Range): Record<string, string> {
  return { ...(start !== null && { start }), ...(stop !== null && { stop }) }
}
