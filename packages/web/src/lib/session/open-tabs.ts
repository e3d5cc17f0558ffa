import { deviceStore } from '../storage.ts'

/**
 * Whether any tab of the console is open. The specification ends the session when all were closed for over ten seconds.
 *
 * An open tab holds a shared lock: browsers slow the timers of hidden tabs, so a beat alone would sign out somebody
 * whose only tab is in the background. The beat only says when the last one went, should a browser crash.
 */

const LOCK = 'benchwatch.tab'
const KEY = 'tabOpenAt'
const BEAT_MS = 2000
const CLOSED_LIMIT_MS = 10_000

/** Asked once at start-up, before `holdTab`. False where nothing is known. */
export async function wereAllTabsClosed(): Promise<boolean> {
  if (isReload()) return false
  const seen = deviceStore.read(KEY)
  if (typeof seen !== 'number' || Date.now() - seen <= CLOSED_LIMIT_MS) return false
  const held = await navigator.locks?.query().then(
    (state) => state.held ?? [],
    () => [],
  )
  return !(held ?? []).some(({ name }) => name === LOCK)
}

/** A reload, and a tab that the browser had put away to save memory, were never closed by the person. */
function isReload(): boolean {
  const [entry] = performance.getEntriesByType?.('navigation') ?? []
  const kind = entry === undefined ? '' : (entry as PerformanceNavigationTiming).type
  return kind === 'reload' || (document as { wasDiscarded?: boolean }).wasDiscarded === true
}

/** Says that this tab is open until the page goes. */
export function holdTab(): void {
  void navigator.locks?.request(LOCK, { mode: 'shared' }, () => new Promise<never>(() => undefined))
  const beat = () => deviceStore.write(KEY, Date.now())
  beat()
  setInterval(beat, BEAT_MS)
  window.addEventListener('pagehide', beat)
}
