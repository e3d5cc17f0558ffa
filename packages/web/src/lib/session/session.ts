import type { SessionUser, Tokens } from '@benchwatch/contract/auth'
import { useSyncExternalStore } from 'react'
import { ApiError, type Credentials, call, setCredentials } from '../http.ts'
import { deviceStore, tabStore } from '../storage.ts'
import { idleSeconds, noteActivity } from './activity.ts'
import { wasTabOpen } from './open-tabs.ts'

/**
 * Who is signed in. The access token lives in memory alone; a reload gets another through the refresh cookie. Tabs take
 * turns at refreshing under one lock, because each refresh replaces the cookie that they share.
 */

export type SessionState =
  | { status: 'starting' | 'anonymous'; user: null }
  /** Whether somebody is signed in could not be asked; `error` says why. */
  | { status: 'unreachable'; user: null; error: ApiError }
  | { status: 'signed-in'; user: SessionUser }

/** How a session ended. */
export interface SessionEnd {
  /** The person said so, here or in another tab; or the server no longer knows it. */
  kind: 'signed-out' | 'expired'
  /** Since the last click or key press in any tab, at that moment. */
  idleSeconds: number
}

type TabNews = { kind: 'signed-out' } | { kind: 'expired' } | { kind: 'signed-in'; userId: string }

const REFRESH_LOCK = 'benchwatch.refresh'
/** Set while a sign-out has not reached the server: the cookie would sign in again at the next start. */
const UNHEARD = 'signOutUnheard'
/** A token this close to its end is not worth sending. */
const TOKEN_MARGIN_MS = 10_000

/** What calls of this page are signed with. */
const ownCredentials: Credentials = { token: usableToken, renew: renewToken, expire: () => endSession('expired') }

let state: SessionState = { status: 'starting', user: null }
let token: { value: string; goodUntil: number } | null = null
let renewal: Promise<string | null> | null = null
/** Grows with each end of a session: an answer to a refresh of before must not bring it back. */
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

/** Told once for each session that ends, after the token is gone; caches are the listener's business. */
export function onSessionEnd(listener: (end: SessionEnd) => void): () => void {
  endings.add(listener)
  return () => endings.delete(listener)
}

/** Resolves as soon as it is known whether somebody is signed in. */
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
 * Signs in by the refresh cookie. Called at start-up and to try again when unreachable. Where there can be no such
 * cookie the server is not asked: its 401 would be the first line in the console of every visitor.
 */
export async function startSession(): Promise<void> {
  setCredentials(ownCredentials)
  change({ status: 'starting', user: null })
  if (!mayHaveSession()) return change({ status: 'anonymous', user: null })
  try {
    if ((await renewToken()) === null) change({ status: 'anonymous', user: null })
  } catch (error) {
    change({ status: 'unreachable', user: null, error: asApiError(error) })
  }
}

/** The server sets a readable cookie beside the refresh cookie; sessions of releases before that noted their open tabs. */
function mayHaveSession(): boolean {
  return /(?:^|; )benchwatch_session=/.test(document.cookie) || wasTabOpen()
}

/** A sign-out that the server did not hear is still to be told: start anonymously. */
export function wasSignOutUnheard(): boolean {
  return deviceStore.read(UNHEARD) === true
}

/** Nobody was there for too long, or signed out unheard: what the cookie still holds is ended instead of used. */
export async function startAnonymous(): Promise<void> {
  setCredentials(ownCredentials)
  deviceStore.clear()
  tabStore.clear()
  await tellSignOut(false).catch(() => undefined)
  change({ status: 'anonymous', user: null })
}

/** Takes the tokens of a sign-in; other tabs follow. */
export function acceptSignIn(tokens: Tokens): void {
  noteActivity()
  deviceStore.remove(UNHEARD)
  accept(tokens)
  tell({ kind: 'signed-in', userId: tokens.user.userId })
}

/**
 * Ends the session here, at the server and in every tab; with `everywhere` also in every other browser. The screen does
 * not wait for the server. @throws ApiError when it did not hear; it is told again at the next start.
 */
export async function signOut({ everywhere = false } = {}): Promise<void> {
  endSession('signed-out')
  deviceStore.clear()
  tell({ kind: 'signed-out' })
  await tellSignOut(everywhere)
}

async function tellSignOut(everywhere: boolean): Promise<void> {
  deviceStore.write(UNHEARD, true)
  await call('signOut', { body: { everywhere } })
  deviceStore.remove(UNHEARD)
}

/** A new access token, or null when the session is over. @throws ApiError when the server could not be asked. */
export function renewToken(): Promise<string | null> {
  renewal ??= inTurn(refreshOnce).finally(() => {
    renewal = null
  })
  return renewal
}

/** Asks the server whether the session still holds, and ends it here when it does not. */
export async function verifySession(): Promise<void> {
  if (state.status !== 'signed-in') return
  const renewed = await renewToken().catch(() => undefined)
  if (renewed === null) endSession('expired')
}

/**
 * Nobody was there for as long as is allowed. The server decides; one that can't be asked leaves no data on the screen
 * of an empty chair, and is told when it is back.
 */
export async function endIdleSession(): Promise<void> {
  if (state.status !== 'signed-in') return
  try {
    if ((await renewToken()) !== null) return
    endSession('expired')
  } catch {
    endSession('expired')
    deviceStore.write(UNHEARD, true)
  }
}

async function refreshOnce(): Promise<string | null> {
  const mine = era
  try {
    const tokens = await call('refresh', { body: { idleSeconds: idleSeconds() } })
    if (mine !== era) return null
    accept(tokens)
    return tokens.accessToken
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null
    throw error
  }
}

/**
 * Browsers have locks only where the page came over https or from this machine. Without them two tabs may refresh at
 * once, which the server forgives within 30 seconds.
 */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const locks: LockManager | null | undefined = navigator.locks
  return locks ? locks.request(REFRESH_LOCK, work) : work()
}

function usableToken(): string | null {
  return token !== null && token.goodUntil > Date.now() ? token.value : null
}

function accept({ accessToken, expiresIn, user }: Tokens): void {
  token = { value: accessToken, goodUntil: Date.now() + expiresIn * 1000 - TOKEN_MARGIN_MS }
  if (state.status !== 'signed-in' || state.user.userId !== user.userId) change({ status: 'signed-in', user })
}

function endSession(kind: SessionEnd['kind']): void {
  if (state.status !== 'signed-in') return
  const end: SessionEnd = { kind, idleSeconds: idleSeconds() }
  era += 1
  token = null
  tabStore.clear()
  if (kind === 'expired') {
    deviceStore.clear()
    tell({ kind })
  }
  change({ status: 'anonymous', user: null })
  for (const listener of endings) listener(end)
}

function tell(news: TabNews): void {
  tabs?.postMessage(news)
}

tabs?.addEventListener('message', ({ data }: MessageEvent<TabNews>) => {
  if (data.kind === 'signed-out') endSession('signed-out')
  // Each tab asks for itself: somebody may have signed in again since.
  else if (data.kind === 'expired') void verifySession()
  // The cookie is shared: whoever signed in over there is who this tab acts for from now on.
  else if (state.status !== 'signed-in') void startSession()
  else if (state.user.userId !== data.userId) window.location.reload()
})

function change(next: SessionState): void {
  state = next
  for (const listener of listeners) listener()
}

function asApiError(error: unknown): ApiError {
  return error instanceof ApiError ? error : new ApiError(String(error), { status: 0, code: 'unknown' })
}

/** Whether somebody is signed in, and who. What else is known of them: features/users. */
export function useSession(): SessionState {
  return useSyncExternalStore(subscribeToSession, sessionState)
}
