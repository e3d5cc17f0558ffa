import type { View, ViewState } from '@benchwatch/contract/events/views'
import type { ViewArea } from '@benchwatch/contract/vocabulary'
import { tabStore } from '../../lib/storage.ts'
import type { Preset, ViewedList } from './list-state.ts'

/**
 * Determines which view a list shows. The address does not name views, so they are found by comparison. The tab
 * remembers the view applied last: it distinguishes equal views, and tells which one a changed list came from.
 */

const KEY = 'views.last'

export interface AppliedView<V = View | Preset> {
  view: V
  /** True if the list was changed since the view was applied. */
  isChanged: boolean
}

/** `views` are those of the list's area. Returns null for the default list, and if no view was applied. */
export function appliedView<V extends Pick<View, 'id' | 'state'>>(
  views: readonly V[],
  { list, state, lastId }: { list: ViewedList; state: ViewState; lastId: string | null },
): AppliedView<V> | null {
  const last = views.find(({ id }) => id === lastId)
  const equal = views.filter((view) => isSameState(list.read(view.state), state))
  const view = equal.find(({ id }) => id === lastId) ?? equal[0]
  if (view !== undefined) return { view, isChanged: false }
  if (last === undefined || isSameState(state, list.usual)) return null
  return { view: last, isChanged: true }
}

/**
 * True if both states show the same list. The order of values within a filter does not matter; that of columns does.
 */
export function isSameState(one: ViewState, other: ViewState): boolean {
  return canonical(one) === canonical(other)
}

function canonical({ filters, range, keyword, order, orderBy, columns, pageSize }: ViewState): string {
  const chosen = Object.entries(filters)
    .filter(([, values]) => values.length > 0)
    .map(([category, values]) => [category, values.toSorted()] as const)
  return JSON.stringify([
    chosen.toSorted(byKey),
    range === null ? null : Object.entries(range).toSorted(byKey),
    keyword,
    order,
    orderBy,
    columns,
    pageSize,
  ])
}

function byKey([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1
}

export function lastAppliedView(area: ViewArea): string | null {
  const id = tabStore.read(`${KEY}.${area}`)
  return typeof id === 'string' ? id : null
}

/** Null if the default list was applied. */
export function rememberAppliedView(area: ViewArea, id: string | null): void {
  if (id === null) tabStore.remove(`${KEY}.${area}`)
  else tabStore.write(`${KEY}.${area}`, id)
}
