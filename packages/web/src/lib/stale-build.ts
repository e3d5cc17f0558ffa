import { tabStore } from './storage.ts'

const KEY = 'reloaded-at'
const AT_MOST_EVERY_MS = 60_000
/** For people. In other words than the browser's, by which the router would reload of its own accord. */
const MISSING_PART = 'A part of this page could not be loaded. Check your connection, then reload.'

/** Vite's event: a part of the page could not be loaded. */
type LoadFailure = Event & { payload?: unknown }

/**
 * After an update of the server, parts that an open page has not loaded yet are gone; a reload gets the new ones. At most
 * once a minute, so that a file that is truly missing ends in the crash screen and not in a loop. Never while the server
 * can't be reached: a reload would then put the browser's error page in place of this one, with all that was typed in it.
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

/** Whether something broke because a part of the page could not be loaded. */
export function isMissingPart(error: Error): boolean {
  return error.message === MISSING_PART
}
