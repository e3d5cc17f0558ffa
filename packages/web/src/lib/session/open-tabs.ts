import { deviceStore } from '../storage.ts'

/**
 * Whether any tab of the console is open. The specification ends the session when all were closed for over ten seconds.
 *
 * An open tab holds a shared lock, and answers on a channel where the browser has no locks: browsers slow the timers of
 * hidden tabs, so a beat alone would sign out somebody whose only tab is in the background. The beat only says when the
 * last one went, should a browser crash.
 */

const LOCK = 'benchwatch.tab'
const CHANNEL = 'benchwatch.tabs'
const KEY = 'tabOpenAt'
const BEAT_MS = 2000
const CLOSED_LIMIT_MS = 10_000
/** How long other tabs have for their answer. Messages are not slowed in hidden tabs as timers are. */
const ANSWER_MS = 500

/** Asked once at start-up, before `holdTab`. False where nothing is known. */
export async function wereAllTabsClosed(): Promise<boolean> {
  if (isReload()) return false
  const seen = deviceStore.read(KEY)
  if (typeof seen !== 'number' || Date.now() - seen <= CLOSED_LIMIT_MS) return false
  const locks = browserLocks()
  return !(await (locks ? isLockHeld(locks) : doesAnyTabAnswer()))
}

/** Whether a tab has noted a session that nobody has ended since. */
export function wasTabOpen(): boolean {
  return deviceStore.read(KEY) !== null
}

/** A reload, and a tab that the browser had put away to save memory, were never closed by the person. */
function isReload(): boolean {
  const [entry] = performance.getEntriesByType?.('navigation') ?? []
  const kind = entry === undefined ? '' : (entry as PerformanceNavigationTiming).type
  return kind === 'reload' || (document as { wasDiscarded?: boolean }).wasDiscarded === true
}

/** Browsers have them only where the page came over https or from this machine. */
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
 * Says that this tab is open until the page goes. The time is noted only while somebody is signed in: who leaves the
 * sign-in for the screen of their organisation comes back to a session that nobody has closed.
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
