import type { LiveMessage } from '@benchwatch/contract/live'
import type { LiveStore } from './live-store.ts'

/**
 * Keeps one websocket to `/api/live` open: catches up from the last number seen, comes back after a loss, and notices
 * a line that died without saying so. Knows no feature; what a message means is the handler's business.
 *
 * Reconnects after one second, then with doubling pauses up to half a minute, each shortened by chance so that a
 * deploy does not bring everybody back in the same instant. Not after code 1005: then the server ended the session.
 */

export const FIRST_PAUSE_MS = 1000
export const LONGEST_PAUSE_MS = 30_000
/** The server's own pings are invisible to scripts, so we send ours and wait for an answer. */
export const PING_EVERY_MS = 10_000
export const PONG_WITHIN_MS = 5000
/** A handshake that neither opens nor fails must not hold us for the minutes that a browser allows it. */
export const OPEN_WITHIN_MS = 15_000

/** No status received: the server closed without a code, as it does at sign-out. */
const NO_STATUS = 1005

/** The part of a WebSocket that is used here. */
export interface LiveSocket {
  send: (text: string) => void
  close: () => void
  addEventListener: WebSocket['addEventListener']
}

export interface LiveConnectionOptions {
  /** A one-use token for the connection. Rejects when none can be had just now. */
  fetchToken: () => Promise<string>
  openSocket: (address: string) => LiveSocket
  onMessage: (message: LiveMessage) => void
  /** What was missed is no longer kept: read everything again. */
  onResync: () => void
  /** The server closed as at sign-out: find out whether the session still holds. */
  onSignedOut: () => void
  store: LiveStore
  /** Between 0 and 1. */
  random?: () => number
}

export interface LiveConnection {
  start: () => void
  /** Closes for good; `start` begins anew and without a memory of numbers. */
  stop: () => void
  /** Tries at once instead of at the next turn: the network came back, or the person asked. */
  retryNow: () => void
}

export function createLiveConnection(options: LiveConnectionOptions): LiveConnection {
  const { store, random = Math.random } = options
  /** Grows with every start, loss and stop, so that what belongs to an earlier socket is not heard any more. */
  let life = 0
  let isWanted = false
  let socket: LiveSocket | null = null
  let lastSeq: number | null = null
  let failures = 0
  let pause: Timer
  let opening: Timer
  let beat: Timer
  let deadline: Timer

  async function connect(): Promise<void> {
    const mine = ++life
    clearTimeout(pause)
    store.set({ state: 'connecting' })
    // Covers the token as well as the handshake.
    opening = setTimeout(() => lose(), OPEN_WITHIN_MS)
    let token: string
    try {
      token = await options.fetchToken()
    } catch {
      if (mine === life) lose()
      return
    }
    if (mine !== life) return
    const after = lastSeq === null ? '' : `&after=${lastSeq}`
    socket = options.openSocket(`/api/live?token=${encodeURIComponent(token)}${after}`)
    socket.addEventListener('message', ({ data }: MessageEvent) => {
      if (mine === life) hear(String(data))
    })
    socket.addEventListener('close', ({ code }: CloseEvent) => {
      if (mine !== life) return
      if (code === NO_STATUS) giveUp()
      else lose()
    })
  }

  function hear(text: string): void {
    clearTimeout(deadline)
    store.set({ lastMessageAt: Date.now() })
    const message = text === 'pong' ? null : readMessage(text)
    if (message === null) return
    // The greeting says where the server starts from, which is lower than ours when its numbers began anew.
    lastSeq = message.entity === 'hello' ? message.seq : Math.max(lastSeq ?? 0, message.seq)
    if (message.entity === 'hello') welcome(message.action)
    options.onMessage(message)
  }

  function welcome(action: 'ready' | 'resync'): void {
    clearTimeout(opening)
    failures = 0
    store.set({ state: 'live' })
    clearInterval(beat)
    beat = setInterval(ping, PING_EVERY_MS)
    if (action === 'resync') options.onResync()
  }

  function ping(): void {
    socket?.send('ping')
    clearTimeout(deadline)
    deadline = setTimeout(() => lose(), PONG_WITHIN_MS)
  }

  function lose(): void {
    leave()
    store.set({ state: 'offline' })
    const longest = Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS)
    // The first pause is the second that the specification names; later ones are between half and all of theirs.
    const wait = failures === 0 ? FIRST_PAUSE_MS : longest * (0.5 + random() / 2)
    failures += 1
    pause = setTimeout(() => void connect(), wait)
  }

  function giveUp(): void {
    leave()
    store.set({ state: 'offline' })
    options.onSignedOut()
  }

  function leave(): void {
    life += 1
    clearTimeout(pause)
    clearTimeout(opening)
    clearTimeout(deadline)
    clearInterval(beat)
    socket?.close()
    socket = null
  }

  return {
    start: () => {
      if (isWanted) return
      isWanted = true
      failures = 0
      void connect()
    },
    stop: () => {
      isWanted = false
      leave()
      lastSeq = null
      store.set({ state: 'offline', lastMessageAt: null })
    },
    retryNow: () => {
      if (!isWanted || store.get().state !== 'offline') return
      leave()
      void connect()
    },
  }
}

type Timer = ReturnType<typeof setTimeout> | undefined

/** Null for what is no message: a newer server may say things that this page does not know. */
function readMessage(text: string): LiveMessage | null {
  try {
    const message: unknown = JSON.parse(text)
    const isMessage = typeof message === 'object' && message !== null && 'entity' in message && 'seq' in message
    return isMessage && typeof message.seq === 'number' ? (message as LiveMessage) : null
  } catch {
    return null
  }
}
