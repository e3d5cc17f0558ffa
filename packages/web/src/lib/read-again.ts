import { type QueryClient, type QueryKey, QueryObserver, type QueryObserverOptions } from '@tanstack/react-query'

/**
 * Reads again what is on the screen, and forgets what is not: the user may no longer see it, and the back button would
 * show it until the new answer arrives.
 */
export function readEverythingAgain(client: QueryClient): void {
  client.removeQueries({ predicate: (query) => query.getObserversCount() === 0 })
  void client.invalidateQueries()
}

/**
 * Reads a record again before it is saved, by a request of its own: one in flight may be older than another user's
 * change. It is observed until its answer, because leaving the screen ends a request that nobody observes, with the old
 * record as its result, and saving that would undo the changes of others.
 */
export async function readAgain<T, Key extends QueryKey>(
  client: QueryClient,
  query: QueryObserverOptions<T, Error, T, T, Key>,
): Promise<T> {
  const observer = new QueryObserver(client, { ...query, enabled: false, retry: false })
  const stop = observer.subscribe(() => undefined)
  try {
    const { data } = await observer.refetch({ throwOnError: true })
    return data as T
  } finally {
    stop()
  }
}
