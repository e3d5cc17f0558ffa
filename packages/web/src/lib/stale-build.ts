import { tabStore } from './storage.ts'

const KEY = 'reloaded-at'
const AT_MOST_EVERY_MS = 60_000

/**
 * After an update of the server, parts that an open page has not loaded yet are gone; a reload gets the new ones. At most
 * once a minute, so that a file that is truly missing ends in the crash screen and not in a loop.
 */
export function reloadWhenBuildIsStale(page: { now: () => number; reload: () => void }): void {
  window.addEventListener('vite:preloadError', (event) => {
    const last = tabStore.read(KEY)
    if (typeof last === 'number' && page.now() - last < AT_MOST_EVERY_MS) return
    tabStore.write(KEY, page.now())
    event.preventDefault()
    page.reload()
  })
}
