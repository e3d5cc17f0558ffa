import { deviceStore } from '../storage.ts'

/**
 * Detects whether any tab of the console is open. The specification ends the session when all tabs were closed for
 * more than ten seconds.
 *
 * An open tab holds a shared lock, or answers on a channel in browsers without locks. A heartbeat alone would sign out
 * a user whose only tab is in the background, because browsers slow the timers of hidden tabs. It only records when
 * the last tab went away if the browser crashes.
 */

const LOCK = 'benchwatch.tab'
const CHANNEL = 'benchwatch.tabs'
const KEY = 'tabOpenAt'
const BEAT_MS = 2000
const CLOSED_LIMIT_MS = 10_000
/** Timeout for answers of other tabs. Browsers do not slow messages in hidden tabs as they slow timers. */
const ANSWER_MS = 500

/** Called once at startup, before `holdTab`. Resolves to false if nothing is known. */
export async function wereAllTabsClosed(): Promise<boolean> {
  if (isReload()) return false
  const seen = deviceStore.read(KEY)
  if (typeof seen !== 'number' || Date.now() - seen <= CLOSED_LIMIT_MS) return false
  const locks = browserLocks()
  return !(await (locks ? isLockHeld(locks) : doesAnyTabAnswer()))
}

/** True if a tab has recorded a session that was not ended since. */
export function wasTabOpen(): boolean {
  return deviceStore.read(KEY) !== null
}

/** True after a reload, or if the browser had discarded the tab to save memory: the user never closed it. */
function isReload(): boolean {
  const [entry] = performance.getEntriesByType?.('navigation') ?? []
  const kind = entry === undefined ? '' : (entry as PerformanceNavigationTiming).type
  return kind === 'reload' || (document as { wasDiscarded?: boolean }).wasDiscarded === true
}

/** Browsers provide locks only on https or localhost. */
function browserLocks(): LockManager | undefined {
  return navigator.locks
}

async function isLockHeld(locks: LockManager): Promise<boolean> {
  const { held = [] } = await locks.query().catch(() => ({ held: [] }))
  return held.some(({ name }) => name === LOCK)
}

function doesAnyTabAnswer(): Promise<boolean> {
  return new Promise((resolve) => {
    const channel = new BroadcastChannel(CHANNEL)
    const finish = (isOpen: boolean) => {
      clearTimeout(timer)
      channel.close()
      resolve(isOpen)
    }
    const timer = setTimeout(finish, ANSWER_MS, false)
    channel.addEventListener('message', ({ data }) => data === 'here' && finish(true))
    channel.postMessage('anybody?')
  })
}

/**
 * Marks this tab as open until the page unloads. The time is recorded only while signed in: a user who leaves the
 * sign-in screen for an external identity provider must not come back to a session that counts as closed.
 */
export function holdTab(isSignedIn: () => boolean): void {
  const locks = browserLocks()
  if (locks) void locks.request(LOCK, { mode: 'shared' }, () => new Promise<never>(() => undefined))
  else answerOtherTabs()
  const beat = () => {
    if (isSignedIn()) deviceStore.write(KEY, Date.now())
  }
  setInterval(beat, BEAT_MS)
  window.addEventListener('pagehide', beat)
}

function answerOtherTabs(): void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.addEventListener('message', ({ data }) => data === 'anybody?' && channel.postMessage('here'))
}
