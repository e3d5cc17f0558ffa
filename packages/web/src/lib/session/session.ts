import type { SessionUser, Tokens } from '@benchwatch/contract/auth'
import { ApiError, call, setCredentials } from '../http.ts'
import { deviceStore, tabStore } from '../storage.ts'
import { idleSeconds, noteActivity } from './activity.ts'

/**
 * Who is signed in. The access token lives in memory alone; a reload gets another through the refresh cookie. Tabs take
 * turns at refreshing under one lock, because each refresh replaces the cookie that they share.
 */

export type SessionState =
  | { status: 'starting' | 'anonymous'; user: null }
  /** Whether somebody is signed in could not be asked; `error` says why. */
  | { status: 'unreachable'; user: null; error: ApiError }
  | { status: 'signed-in'; user: SessionUser }

/** Why a session ended: the person said so here or in another tab, or the server no longer knows it. */
export type SessionEnd = 'signed-out' | 'expired'

type TabNews = { kind: 'signed-out' } | { kind: 'signed-in'; userId: string }

const REFRESH_LOCK = 'benchwatch.refresh'
/** A token this close to its end is not worth sending. */
const TOKEN_MARGIN_MS = 10_000

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

/** Signs in by the refresh cookie, where there is one. Called at start-up and to try again when unreachable. */
export async function startSession(): Promise<void> {
  setCredentials({ token: usableToken, renew: renewToken, expire: () => endSession('expired') })
  change({ status: 'starting', user: null })
  try {
    if ((await renewToken()) === null) change({ status: 'anonymous', user: null })
  } catch (error) {
    change({ status: 'unreachable', user: null, error: asApiError(error) })
  }
}

/** Nobody was there for too long: what the cookie still holds is ended instead of used. */
export async function startAnonymous(): Promise<void> {
  setCredentials({ token: usableToken, renew: renewToken, expire: () => endSession('expired') })
  await call('signOut', { body: {} }).catch(() => undefined)
  deviceStore.clear()
  tabStore.clear()
  change({ status: 'anonymous', user: null })
}

/** Takes the tokens of a sign-in; other tabs follow. */
export function acceptSignIn(tokens: Tokens): void {
  noteActivity()
  accept(tokens)
  tabs?.postMessage({ kind: 'signed-in', userId: tokens.user.userId } satisfies TabNews)
}

/** Ends the session here, at the server and in every tab. The screen does not wait for the server. */
export async function signOut(): Promise<void> {
  endSession('signed-out')
  tabs?.postMessage({ kind: 'signed-out' } satisfies TabNews)
  await call('signOut', { body: {} })
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

function endSession(end: SessionEnd): void {
  if (state.status !== 'signed-in') return
  era += 1
  token = null
  deviceStore.clear()
  tabStore.clear()
  change({ status: 'anonymous', user: null })
  for (const listener of endings) listener(end)
}

tabs?.addEventListener('message', ({ data }: MessageEvent<TabNews>) => {
  if (data.kind === 'signed-out') endSession('signed-out')
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
