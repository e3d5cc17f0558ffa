import type { View, ViewInput } from '@benchwatch/contract/events/views'
import type { ViewArea } from '@benchwatch/contract/vocabulary'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/http.ts'
import { readAgain } from '../../lib/read-again.ts'
import { deviceStore } from '../../lib/storage.ts'

/** Entry point for saved views: the user's own and shared ones, of all areas. Wire 8. */

/** Colleagues rarely change theirs. */
const STALE_MS = 60_000

/** Areas with a default view, as far as this browser knows; absent before the first answer. */
const DEFAULTS_KEY = 'views.defaults'

export function viewsQuery() {
  return queryOptions({
    queryKey: ['views'],
    queryFn: async ({ signal }) => {
      const views = await call('listViews', { signal })
      deviceStore.write(DEFAULTS_KEY, [...new Set(views.filter(isDefault).map(({ area }) => area))])
      return views
    },
    staleTime: STALE_MS,
  })
}

/** Returns the view that a list opens with. */
export function defaultViewOf(views: readonly View[], area: ViewArea): View | undefined {
  return views.find((view) => view.area === area && view.isDefault)
}

/** False if this browser knows that the area has no default view, so its list need not wait for views. */
export function mayHaveDefaultView(area: ViewArea): boolean {
  const known = deviceStore.read(DEFAULTS_KEY)
  return !Array.isArray(known) || known.includes(area)
}

/** Changes of views. Each completes after views are refetched, because a new default also changes the previous one. */
export function useViewChanges() {
  const client = useQueryClient()
  const onSettled = () => client.invalidateQueries({ queryKey: viewsQuery().queryKey })
  const create = useMutation({ mutationFn: (body: ViewInput) => call('createView', { body }), onSettled })
  const update = useMutation({
    mutationFn: async ({ view, change }: { view: View; change: Partial<Omit<ViewInput, 'area'>> }) => {
      const now = (await readAgain(client, viewsQuery())).find(({ id }) => id === view.id) ?? view
      return call('updateView', { params: { id: view.id }, body: { ...inputOf(now), ...change } })
    },
    onSettled,
  })
  const remove = useMutation({ mutationFn: ({ id }: View) => call('deleteView', { params: { id } }), onSettled })
  return {
    create: create.mutateAsync,
    update: update.mutateAsync,
    remove: remove.mutateAsync,
    isPending: create.isPending || update.isPending || remove.isPending,
  }
}

function inputOf({ area, name, shared, isDefault: isDefaultNow, state }: View): ViewInput {
  return { area, name, shared, isDefault: isDefaultNow, state }
}

function isDefault(view: View): boolean {
  return view.isDefault
}
