import type { LiveMessage } from '@benchwatch/contract/live'
import { ApiError, type Client } from './client.ts'

interface Options {
  /** Sequence number of the last message seen; the messages after it come first. */
  after?: number
  /** Ends the messages. */
  signal?: AbortSignal
  /** Opens a websocket. Node 20 has none of its own: pass `(address) => new WebSocket(address)` of a package. */
  openSocket?: (address: string) => LiveSocket
}

/**
 * Returns the live messages of the client's user until the signal aborts. It reconnects on its own and catches up by
 * sequence number. Each connection begins with a `hello`; if its action is `resync`, messages were lost for good and
 * the caller has to read its data again.
 * @throws ApiError if the server refuses the client or ends the session.
 */
export async function* liveMessages(
  client: Client,
  { after, signal, openSocket = (address) => new WebSocket(address) }: Options = {},
): AsyncGenerator<LiveMessage, void, undefined> {
  const waiting: LiveMessage[] = []
  let refusal: ApiError | undefined
  let wake = () => {}
  const connection = createLiveConnection({
    fetchToken: async () => {
      try {
        return (await client.call('createLiveToken')).token
      } catch (error) {
        if (error instanceof ApiError && (error.status === 401 || error.status === 403)) fail(error)
        throw error
      }
    },
    openSocket: (path) => openSocket(`${client.url.replace(/^http/, 'ws')}${path}`),
    onMessage: (message) => {
      waiting.push(message)
      wake()
    },
    onResync: () => {},
    onSignedOut: () =>
      fail(new ApiError('The server has ended the session. Sign in again.', { status: 401, code: 'session-expired' })),
  })
  function fail(error: ApiError): void {
    refusal = error
    connection.stop()
    wake()
  }
  const end = () => wake()
  signal?.addEventListener('abort', end)
  connection.start(after)
  try {
    while (!signal?.aborted) {
      const message = waiting.shift()
      if (message) yield message
      else if (refusal) throw refusal
      else
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    }
  } finally {
    signal?.removeEventListener('abort', end)
    connection.stop()
  }
}

const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 30_000
/** Scripts cannot see the server's own pings, so the client sends its own and waits for the answer. */
export const PING_EVERY_MS = 10_000
export const PONG_WITHIN_MS = 5000
/** Limit for the handshake, which browsers would let hang for minutes. */
export const OPEN_WITHIN_MS = 15_000

/** Close code 'no status received': the server closed without a code, as it does on sign-out. */
const NO_STATUS = 1005

export interface LiveState {
  state: 'connecting' | 'live' | 'offline'
  /** Time of the last message from the server, in milliseconds since the epoch. Null before the first. */
  lastMessageAt: number | null
}

/** The part of WebSocket used here. */
export interface LiveSocket {
  send: (text: string) => void
  close: () => void
  addEventListener: WebSocket['addEventListener']
}

interface LiveConnectionOptions {
  /** Returns a one-use token for the connection. Rejects if none is available right now. */
  fetchToken: () => Promise<string>
  openSocket: (address: string) => LiveSocket
  onMessage: (message: LiveMessage) => void
  /** Messages were missed that the server cannot send any more: read everything again. */
  onResync: () => void
  /** The server closed the connection as on sign-out: check whether the session is still valid. */
  onSignedOut: () => void
  onState?: (change: Partial<LiveState>) => void
  /** Returns a number between 0 and 1. */
  random?: () => number
}

export interface LiveConnection {
  /** Begins with the messages after this sequence number, by default with the next one. */
  start: (after?: number) => void
  /** Closes the connection for good. `start` begins again and forgets the sequence number. */
  stop: () => void
  /** Reconnects at once instead of waiting for the next attempt. */
  retryNow: () => void
}

/**
 * Keeps one websocket to `/api/live` open: resumes after the last sequence number seen, reconnects after a loss, and
 * detects a connection that died silently. It knows no feature; message handlers are passed in.
 *
 * Reconnects after one second, then with pauses that double up to half a minute, each randomly shortened so that a
 * deployment does not bring all clients back at the same moment. Does not reconnect after code 1005: the server ended
 * the session.
 */
export function createLiveConnection(options: LiveConnectionOptions): LiveConnection {
  const { random = Math.random } = options
  let state: LiveState['state'] = 'offline'
  /** Incremented by every start, loss and stop, so that events of an earlier socket are ignored. */
  let life = 0
  let isWanted = false
  let socket: LiveSocket | null = null
  let lastSeq: number | null = null
  let failures = 0
  let pause: Timer
  let opening: Timer
  let beat: Timer
  let deadline: Timer

  function change(next: LiveState['state'], more: Partial<LiveState> = {}): void {
    state = next
    options.onState?.({ state, ...more })
  }

  async function connect(): Promise<void> {
    const mine = ++life
    clearTimeout(pause)
    change('connecting')
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
    options.onState?.({ lastMessageAt: Date.now() })
    const message = text === 'pong' ? null : readMessage(text)
    if (message === null) return
    if (message.entity === 'hello') {
      // No message tells what changed between the start and a greeting that came only after failed attempts.
      const hasMissed = message.action === 'resync' || (lastSeq === null && failures > 0)
      // The number from which messages follow is lower than ours if the server's numbering was reset.
      lastSeq = message.seq
      welcome(hasMissed)
    } else lastSeq = Math.max(lastSeq ?? 0, message.seq)
    options.onMessage(message)
  }

  function welcome(hasMissed: boolean): void {
    clearTimeout(opening)
    failures = 0
    change('live')
    clearInterval(beat)
    beat = setInterval(ping, PING_EVERY_MS)
    if (hasMissed) options.onResync()
  }

  function ping(): void {
    socket?.send('ping')
    clearTimeout(deadline)
    deadline = setTimeout(() => lose(), PONG_WITHIN_MS)
  }

  function lose(): void {
    leave()
    change('offline')
    const longest = Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS)
    // The first pause is the second that the specification names; later ones are between half and all of the maximum.
    const wait = failures === 0 ? FIRST_PAUSE_MS : longest * (0.5 + random() / 2)
    failures += 1
    pause = setTimeout(() => void connect(), wait)
  }

  function giveUp(): void {
    leave()
    change('offline')
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
    start: (after) => {
      if (isWanted) return
      isWanted = true
      lastSeq = after ?? null
      failures = 0
      void connect()
    },
    stop: () => {
      isWanted = false
      leave()
      lastSeq = null
      change('offline', { lastMessageAt: null })
    },
    retryNow: () => {
      if (!isWanted || state !== 'offline') return
      leave()
      void connect()
    },
  }
}

type Timer = ReturnType<typeof setTimeout> | undefined

/** Returns null if the text is not a known message, for example one from a newer server. */
function readMessage(text: string): LiveMessage | null {
  try {
    const message: unknown = JSON.parse(text)
    const isMessage = typeof message === 'object' && message !== null && 'entity' in message && 'seq' in message
    return isMessage && typeof message.seq === 'number' ? (message as LiveMessage) : null
  } catch {
    return null
  }
}
