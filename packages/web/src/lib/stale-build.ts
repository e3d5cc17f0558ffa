import { tabStore } from './storage.ts'

const KEY = 'reloaded-at'
const AT_MOST_EVERY_MS = 60_000
/** Message for users. Worded differently from the browser's, which would make the router reload. */
const MISSING_PART = 'A part of this page could not be loaded. Check your connection, then reload.'

/** Vite's event for a part of the page that could not be loaded. */
type LoadFailure = Event & { payload?: unknown }

interface Page {
  now: () => number
  reload: () => void
  isServerThere: () => Promise<boolean>
}

let page: Page | null = null

/** Recognises parts of `loaded`, the page, that could not be loaded. */
export function watchMissingParts(loaded: Page): void {
  page = loaded
  window.addEventListener('vite:preloadError', ({ payload }: LoadFailure) => {
    if (payload instanceof Error) payload.message = MISSING_PART
  })
}

/**
 * Reloads the page because it lacks a part that the user asked for, which an update of the server removed; not for one
 * that was only loaded ahead under the pointer. At most once a minute, so that a missing file ends on the crash screen
 * and not in a loop. Never while the server is unreachable: a reload would replace the page, and everything typed in it,
 * by the browser's error page.
 */
export async function reloadStaleBuild(): Promise<void> {
  if (page === null) return
  const last = tabStore.read(KEY)
  if (typeof last === 'number' && page.now() - last < AT_MOST_EVERY_MS) return
  if (!(await page.isServerThere())) return
  tabStore.write(KEY, page.now())
  page.reload()
}

/** True if an error was caused by a part of the page that could not be loaded. */
export function isMissingPart(error: Error): boolean {
  return error.message === MISSING_PART
}
