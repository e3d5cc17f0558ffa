import type { EventFilterCategory } from '@benchwatch/contract/vocabulary'
import { type Viewer, viewerNames } from '../../generate/bench-data.ts'
import { type Fixture, measureTimes } from '../fixture.ts'
import { pageSql, queryFloor, scannedTotalsSql, whereOf } from '../floors.ts'
import { goals, searchGoal } from '../goals.ts'
import {
  askCounts,
  askList,
  type FilterValues,
  filterValues,
  type RangeName,
  rangeOf,
  scopeCondition,
  searchOf,
} from '../searches.ts'

const ranges: readonly RangeName[] = ['7 days', '30 days', '1 year', 'unbounded']
const three: readonly EventFilterCategory[] = ['severity', 'siteCountry', 'instrumentType']
const manyFilters: readonly (readonly EventFilterCategory[])[] = [
  [],
  ['severity'],
  ['siteCountry'],
  ['instrumentType'],
  ['componentType'],
  ['owner'],
  ['alertStatus'],
  three,
]
/** The view of all customers is measured with all filters; the others with those that depend on the scope. */
const filtersOf: Record<Viewer, readonly (readonly EventFilterCategory[])[]> = {
  all: manyFilters,
  sixty: [[], ['severity'], three],
  one: [[], ['severity'], three],
}

/**
 * Measures the list with its exact totals as the console requests it: each range and view, without and with filters.
 */
export async function measureLists(fixture: Fixture): Promise<void> {
  for (const viewer of ['all', 'sixty', 'one'] as const) {
    const scope = await scopeCondition(fixture.sql, { data: fixture.data, viewer })
    const values = await filterValues(fixture.sql, scope)
    for (const categories of filtersOf[viewer]) {
      for (const range of ranges) await measure(fixture, { viewer, scope, values, categories, range })
    }
  }
}

/** Measures the counts of all filter values as the filter panel requests them: without a choice, with one, with three. */
export async function measureCounts(fixture: Fixture): Promise<void> {
  for (const viewer of ['all', 'sixty', 'one'] as const) {
    const scope = await scopeCondition(fixture.sql, { data: fixture.data, viewer })
    const values = await filterValues(fixture.sql, scope)
    for (const categories of [[], ['severity'], three] as const) {
      for (const range of ranges) {
        const search = (index: number) => searchOf({ range: rangeOf(range), scope, values }, categories, index)
        await measureTimes(fixture, {
          ...{ group: 'counts', goal: goals.counts, name: nameOf({ viewer, range, categories }) },
          ask: (index) => askCounts(fixture.clients[viewer], search(index)),
        })
      }
    }
  }
}

function nameOf({ viewer, range, categories }: Pick<Case, 'viewer' | 'range' | 'categories'>): string {
  return `${viewerNames[viewer]}, ${range}${categories.length > 0 ? `, by ${categories.join(' + ')}` : ''}`
}

interface Case {
  viewer: Viewer
  scope: string
  values: FilterValues
  categories: readonly EventFilterCategory[]
  range: RangeName
}

async function measure(fixture: Fixture, one: Case): Promise<void> {
  const { viewer, scope, values, categories, range } = one
  const search = (index: number) => searchOf({ range: rangeOf(range), scope, values }, categories, index)
  await measureTimes(fixture, {
    group: 'lists',
    name: `list, ${nameOf(one)}`,
    ask: (index) => askList(fixture.clients[viewer], search(index)),
    floor: {
      how: 'page and totals in SQL, one connection',
      ask: (index) => {
        const asked = search(index)
        return queryFloor(fixture.sql, { page: pageSql(whereOf(asked)), totals: scannedTotalsSql(asked) })
      },
    },
    goal: searchGoal(fixture, { kind: 'list', range }),
  })
}
