import type { RouteName } from '@benchwatch/contract/paths'
import type { CallTypes } from '@benchwatch/contract/route'
import type { Routes } from '@benchwatch/contract/routes'
import type { CallAnswer, CallInput, Client } from './client.ts'

/** Routes with `limit` and `offset`, whose answer has `values`. */
export type PagedRoute = {
  [N in RouteName]: [CallTypes<Routes[N]>['query']] extends [undefined]
    ? never
    : 'offset' extends keyof NonNullable<CallTypes<Routes[N]>['query']>
      ? N
      : never
}[RouteName]

type Value<N extends PagedRoute> = CallAnswer<N> extends { values: readonly (infer V)[] } ? V : never

interface Page {
  values: readonly unknown[]
}
interface EventPage {
  values: readonly { alarm: { id: string; createdAt: string } }[]
}
interface AnyListInput {
  query?: Record<string, unknown>
}

const PAGE = 100

/**
 * Reads a whole list, page by page. Service events in the order of their creation are complete although events come
 * and go in the meantime, unless more than a hundred of them have the same millisecond. Other lists are paged by
 * offset, so an object that moves between two reads may be missing or occur twice.
 */
export async function* each<N extends PagedRoute>(
  client: Client,
  name: N,
  input: CallInput<N>,
): AsyncGenerator<Value<N>, void, undefined> {
  const given = input as AnyListInput
  const page = async (query: Record<string, unknown>) =>
    (await client.call(name, ...([{ ...given, query: { ...given.query, limit: PAGE, ...query } }] as never))) as unknown
  const orderBy = given.query?.orderBy ?? 'createdAt'
  const values =
    name === 'listServiceEvents' && orderBy === 'createdAt'
      ? eachEvent(page as (query: object) => Promise<EventPage>, given.query)
      : eachByOffset(page as (query: object) => Promise<Page>)
  for await (const value of values) yield value as Value<N>
}

async function* eachByOffset(page: (query: object) => Promise<Page>): AsyncGenerator<unknown> {
  for (let offset = 0; ; offset += PAGE) {
    const { values } = await page({ offset })
    yield* values
    if (values.length < PAGE) return
  }
}

/**
 * Continues at the time of the last event instead of an offset, and leaves out what it has given already: a claimed
 * event leaves the list of new ones, and an offset would then skip another.
 */
async function* eachEvent(
  page: (query: object) => Promise<EventPage>,
  query: Record<string, unknown> = {},
): AsyncGenerator<unknown> {
  const isAscending = /^asc$/i.test(query.order as string)
  let edge: string | undefined
  let offset = 0
  let given = new Set<string>()
  for (;;) {
    const { values } = await page({ offset, ...(edge !== undefined && boundOf(edge, isAscending)) })
    yield* values.filter(({ alarm }) => !given.has(alarm.id))
    const last = values.at(-1)?.alarm.createdAt
    if (values.length < PAGE || last === undefined) return
    // A page of events of the same millisecond can only be left by an offset.
    if (last === edge) offset += PAGE
    else {
      edge = last
      offset = 0
      given = new Set()
    }
    for (const { alarm } of values) if (alarm.createdAt === edge) given.add(alarm.id)
  }
}

/** Returns the query for events from this millisecond on, which it includes. */
function boundOf(edge: string, isAscending: boolean): { start: string } | { stop: string } {
  return isAscending ? { start: edge } : { stop: new Date(Date.parse(edge) + 1).toISOString() }
}
