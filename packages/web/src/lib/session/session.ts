import type { SessionUser, Tokens } from '@benchwatch/contract/users/auth'
import { useSyncExternalStore } from 'react'
import { ApiError, type Credentials, call, setCredentials } from '../http.ts'
import { deviceStore, OWNER, tabStore } from '../storage.ts'
import { idleSeconds, noteActivity } from './activity.ts'
import { wasTabOpen } from './open-tabs.ts'

/**
 * The signed-in user. The access token is kept in memory only; a reload gets another through the refresh cookie. Tabs
 * refresh one at a time under a lock, because each refresh replaces the cookie that they share.
 */

export type SessionState =
  | { status: 'starting' | 'anonymous'; user: null }
  /** The server could not be asked whether there is a session; `error` says why. */
  | { status: 'unreachable'; user: null; error: ApiError }
  | { status: 'signed-in'; user: SessionUser }

/** Describes how a session ended. */
export interface SessionEnd {
  /** 'signed-out': by the user, in any tab. 'expired': the server no longer accepts the session. */
  kind: 'signed-out' | 'expired'
  /** Seconds since the last click or key press in any tab, when the session ended. */
  idleSeconds: number
}

type TabNews = { kind: 'signed-out' } | { kind: 'expired' } | { kind: 'signed-in'; userId: string }

const REFRESH_LOCK = 'benchwatch.refresh'
/** Set while a sign-out has not reached the server, whose cookie would otherwise sign in again at the next start. */
const PENDING_SIGN_OUT = 'signOutUnheard'
/** A token this close to its expiry is not sent. */
const TOKEN_MARGIN_MS = 10_000

/** Credentials for the API calls of this page. */
const ownCredentials: Credentials = { token: usableToken, renew: renewToken, expire: () => endSession('expired') }

let state: SessionState = { status: 'starting', user: null }
/** The user to whom everything in this tab belongs, also after the session; null before the first one. */
let ownerId = tabStore.read(OWNER)
let token: { value: string; goodUntil: number } | null = null
let renewal: Promise<string | null> | null = null
/** Incremented when a session ends, so that the answer to an earlier refresh cannot revive it. */
let era = 0
const listeners = new Set<() => void>()
const endings = new Set<(end: SessionEnd) => void>()
const tabs = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('benchwatch.session')

export function sessionState(): SessionState {
  return state
}

export function subscribeToSession(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Registers a listener, called once per ended session after the token is gone. Listeners clear their own caches. */
export function onSessionEnd(listener: (end: SessionEnd) => void): () => void {
  endings.add(listener)
  return () => endings.delete(listener)
}

/** Resolves as soon as it is known whether a user is signed in. */
export function sessionKnown(): Promise<SessionState> {
  return new Promise((resolve) => {
    if (state.status !== 'starting') return resolve(state)
    const stop = subscribeToSession(() => {
      if (state.status === 'starting') return
      stop()
      resolve(state)
    })
  })
}

/**
 * Signs in with the refresh cookie, at startup and to retry if unreachable. Does not call the server without a cookie:
 * its 401 would be the first line in every visitor's browser console.
 */
export async function startSession(): Promise<void> {
  setCredentials(ownCredentials)
  change({ status: 'starting', user: null })
  if (!mayHaveSession()) return change({ status: 'anonymous', user: null })
  try {
    if ((await renewToken()) !== null) return
    deviceStore.clear()
    tabStore.clear()
    change({ status: 'anonymous', user: null })
  } catch (error) {
    change({ status: 'unreachable', user: null, error: asApiError(error) })
  }
}

/**
 * True if there may be a refresh cookie. The server sets a readable cookie next to it; sessions of earlier releases
 * are recognised by the record of open tabs.
 */
function mayHaveSession(): boolean {
  return /(?:^|; )benchwatch_session=/.test(document.cookie) || wasTabOpen()
}

/** True if an earlier sign-out did not reach the server: starts anonymously and sends it again. */
export function isSignOutPending(): boolean {
  return deviceStore.read(PENDING_SIGN_OUT) === true
}

/**
 * Starts without a session after too much inactivity or an undelivered sign-out, and ends what the cookie still holds.
 */
export async function startAnonymous(): Promise<void> {
  setCredentials(ownCredentials)
  deviceStore.clear()
  tabStore.clear()
  await sendSignOut(false).catch(() => undefined)
  change({ status: 'anonymous', user: null })
}

/** Stores the tokens of a sign-in and notifies other tabs. */
export function acceptSignIn(tokens: Tokens): void {
  noteActivity()
  deviceStore.remove(PENDING_SIGN_OUT)
  accept(tokens)
  broadcast({ kind: 'signed-in', userId: tokens.user.userId })
}

/**
 * Ends the session here, on the server and in every tab; with `everywhere` also in all other browsers. The screen does
 * not wait for the server. @throws ApiError if the server could not be reached; the next start tries again.
 */
export async function signOut({ everywhere = false } = {}): Promise<void> {
  endSession('signed-out')
  deviceStore.clear()
  broadcast({ kind: 'signed-out' })
  await sendSignOut(everywhere)
}

async function sendSignOut(everywhere: boolean): Promise<void> {
  deviceStore.write(PENDING_SIGN_OUT, true)
  await call('signOut', { body: { everywhere } })
  deviceStore.remove(PENDING_SIGN_OUT)
}

/** Gets a new access token; null if the session is over. @throws ApiError if the server could not be reached. */
export function renewToken(): Promise<string | null> {
  renewal ??= inTurn(refreshOnce).finally(() => {
    renewal = null
  })
  return renewal
}

/** Asks the server whether the session is still valid, and ends it here if not. */
export async function verifySession(): Promise<void> {
  if (state.status !== 'signed-in') return
  const renewed = await renewToken().catch(() => undefined)
  if (renewed === null) endSession('expired')
}

/**
 * Ends a session that was idle for too long. The server decides. If it cannot be reached the session ends here anyway,
 * so that no data stay on an unattended screen, and the server learns of it later.
 */
export async function endIdleSession(): Promise<void> {
  if (state.status !== 'signed-in') return
  try {
    if ((await renewToken()) !== null) return
    endSession('expired')
  } catch {
    endSession('expired')
    deviceStore.write(PENDING_SIGN_OUT, true)
  }
}

async function refreshOnce(): Promise<string | null> {
  const mine = era
  try {
    const tokens = await call('refresh', { body: { idleSeconds: idleSeconds() } })
    if (mine !== era) return null
    accept(tokens)
    return mine === era ? tokens.accessToken : null
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null
    throw error
  }
}

/**
 * Runs tasks one at a time across tabs. Browsers provide locks only on https or localhost; without them two tabs may
 * refresh at once, which the server tolerates within 30 seconds.
 */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const locks: LockManager | null | undefined = navigator.locks
  return locks ? locks.request(REFRESH_LOCK, work) : work()
}

function usableToken(): string | null {
  return token !== null && token.goodUntil > Date.now() ? token.value : null
}

/** A new user gets a new page, in which nothing of the previous one is shown or sent under the new name. */
function accept({ accessToken, expiresIn, user }: Tokens): void {
  const isOther = ownerId !== null && ownerId !== user.userId
  ownerId = user.userId
  if (isOther) {
    endSession('signed-out')
    tabStore.clear()
    // Again for a session that had expired, which left its user the typed texts.
    for (const listener of endings) listener({ kind: 'signed-out', idleSeconds: 0 })
  }
  tabStore.write(OWNER, ownerId)
  if (isOther) return window.location.replace('/')
  token = { value: accessToken, goodUntil: Date.now() + expiresIn * 1000 - TOKEN_MARGIN_MS }
  if (state.status !== 'signed-in') change({ status: 'signed-in', user })
}

function endSession(kind: SessionEnd['kind']): void {
  if (state.status !== 'signed-in') return
  const end: SessionEnd = { kind, idleSeconds: idleSeconds() }
  era += 1
  token = null
  tabStore.clear()
  if (kind === 'expired') {
    deviceStore.clear()
    broadcast({ kind })
  } else tabStore.remove(OWNER)
  change({ status: 'anonymous', user: null })
  for (const listener of endings) listener(end)
}

function broadcast(news: TabNews): void {
  tabs?.postMessage(news)
}

tabs?.addEventListener('message', ({ data }: MessageEvent<TabNews>) => {
  if (data.kind === 'signed-out') endSession('signed-out')
  // Each tab checks for itself: the user may have signed in again since.
  else if (data.kind === 'expired') void verifySession()
  // The cookie is shared, so this tab continues as the user who signed in elsewhere.
  else if (state.status !== 'signed-in') void startSession()
  else if (state.user.userId !== data.userId) void renewToken()
})

function change(next: SessionState): void {
  state = next
  for (const listener of listeners) listener()
}

function asApiError(error: unknown): ApiError {
  return error instanceof ApiError ? error : new ApiError(String(error), { status: 0, code: 'unknown' })
}

/** Returns the session state and its user. features/users has further details of the user. */
export function useSession(): SessionState {
  return useSyncExternalStore(subscribeToSession, sessionState)
}
