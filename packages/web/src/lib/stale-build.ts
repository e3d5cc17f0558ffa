import { tabStore } from './storage.ts'

const KEY = 'reloaded-at'
const AT_MOST_EVERY_MS = 60_000
/** Message for users. Worded differently from the browser's, which would make the router reload. */
const MISSING_PART = 'A part of this page could not be loaded. Check your connection, then reload.'

/** Vite's event for a part of the page that could not be loaded. */
type LoadFailure = Event & { payload?: unknown }

/**
 * Reloads the page if parts that are not loaded yet were removed by an update of the server. At most once a minute, so
 * that a missing file ends on the crash screen and not in a loop. Never while the server is unreachable: a reload
 * would replace the page, and everything typed in it, by the browser's error page.
 */
export function reloadWhenBuildIsStale(page: {
  now: () => number
  reload: () => void
  isServerThere: () => Promise<boolean>
}): void {
  window.addEventListener('vite:preloadError', (event: LoadFailure) => {
    if (event.payload instanceof Error) event.payload.message = MISSING_PART
    const last = tabStore.read(KEY)
    if (typeof last === 'number' && page.now() - last < AT_MOST_EVERY_MS) return
    void page.isServerThere().then((isThere) => {
      if (!isThere) return
      tabStore.write(KEY, page.now())
      page.reload()
    })
  })
}

/** True if an error was caused by a part of the page that could not be loaded. */
export function isMissingPart(error: Error): boolean {
  return error.message === MISSING_PART
}
