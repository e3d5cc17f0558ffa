import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  createLiveConnection,
  type LiveSocket,
  type LiveState,
  OPEN_WITHIN_MS,
  PING_EVERY_MS,
  PONG_WITHIN_MS,
} from './live-messages.ts'

/** A socket whose other end is controlled by the test. */
class PretendSocket extends EventTarget {
  readonly sent: string[] = []
  isClosed = false
  readonly address: string

  constructor(address: string) {
    super()
    this.address = address
  }

  send(text: string): void {
    this.sent.push(text)
  }

  close(): void {
    this.isClosed = true
  }

  say(message: unknown): void {
    const data = typeof message === 'string' ? message : JSON.stringify(message)
    this.dispatchEvent(new MessageEvent('message', { data }))
  }

  greet(seq: number, action = 'ready'): void {
    this.say({ seq, entity: 'hello', action, property: null, payload: {} })
  }

  drop(code: number): void {
    this.dispatchEvent(new CloseEvent('close', { code }))
  }
}

const sockets: PretendSocket[] = []
const received = vi.fn()
const resync = vi.fn()
const signedOut = vi.fn()
const fetchToken = vi.fn<() => Promise<string>>()
let state: LiveState = { state: 'connecting', lastMessageAt: null }

const live = createLiveConnection({
  fetchToken,
  openSocket: (address) => {
    const socket = new PretendSocket(address)
    sockets.push(socket)
    return socket as unknown as LiveSocket
  },
  onMessage: received,
  onResync: resync,
  onSignedOut: signedOut,
  onState: (change) => {
    state = { ...state, ...change }
  },
  random: () => 1,
})

/** The newest socket. */
function socket(): PretendSocket {
  const last = sockets.at(-1)
  if (last === undefined) throw new Error('no socket was opened')
  return last
}

const turn = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)

async function goLive(seq = 10): Promise<void> {
  live.start()
  await turn(0)
  socket().greet(seq)
}

beforeEach(() => {
  vi.useFakeTimers()
  let count = 0
  fetchToken.mockImplementation(async () => `token-${++count}`)
})

afterEach(() => {
  live.stop()
  sockets.length = 0
  vi.clearAllMocks()
  vi.useRealTimers()
})

describe('opening', () => {
  it('fetches its own token and is live after the greeting', async () => {
    live.start()
    expect(state.state).toBe('connecting')
    await turn(0)
    expect(socket().address).toBe('/api/live?token=token-1')
    socket().greet(10)
    expect(state.state).toBe('live')
  })

  it('tries again when no token can be had', async () => {
    fetchToken.mockRejectedValueOnce(new Error('away'))
    live.start()
    await turn(0)
    expect(state.state).toBe('offline')
    await turn(1000)
    expect(sockets).toHaveLength(1)
  })

  it('that succeeds only later makes everything be read again, because it names no message that was seen', async () => {
    fetchToken.mockRejectedValueOnce(new Error('away'))
    live.start()
    await turn(1000)
    socket().greet(10)
    expect(resync).toHaveBeenCalledOnce()
    socket().drop(1012)
    await turn(1000)
    socket().greet(12)
    expect(resync).toHaveBeenCalledOnce()
  })

  it('does not wait forever for a handshake', async () => {
    live.start()
    await turn(OPEN_WITHIN_MS)
    expect(state.state).toBe('offline')
    expect(socket().isClosed).toBe(true)
  })
})

describe('a lost connection', () => {
  it('reconnects after one second and sends the last number that it saw', async () => {
    await goLive(10)
    socket().say({ seq: 14, entity: 'user', action: 'update', property: 'features', payload: {} })
    socket().drop(1006)
    expect(state.state).toBe('offline')
    await turn(999)
    expect(sockets).toHaveLength(1)
    await turn(1)
    expect(socket().address).toBe('/api/live?token=token-2&after=14')
  })

  it('waits longer each time, half a minute at most, and starts with short waits again once it was live', async () => {
    await goLive()
    socket().drop(1006)
    for (const pause of [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]) {
      const before = sockets.length
      await turn(pause - 1)
      expect(sockets).toHaveLength(before)
      await turn(1)
      expect(sockets).toHaveLength(before + 1)
      socket().drop(1006)
    }
    await turn(30_000)
    socket().greet(20)
    socket().drop(1012)
    await turn(1000)
    expect(socket().address).toContain('after=20')
  })

  it('does not reconnect after code 1005, and checks the session', async () => {
    await goLive()
    socket().drop(1005)
    await turn(120_000)
    expect(sockets).toHaveLength(1)
    expect(signedOut).toHaveBeenCalledOnce()
    expect(state.state).toBe('offline')
  })

  it('reconnects at once when the user or the network triggers it', async () => {
    await goLive()
    socket().drop(1005)
    live.retryNow()
    await turn(0)
    expect(sockets).toHaveLength(2)
  })

  it('is left alone when it was closed on purpose', async () => {
    await goLive()
    live.stop()
    live.retryNow()
    await turn(60_000)
    expect(sockets).toHaveLength(1)
    expect(socket().isClosed).toBe(true)
  })
})

describe('a silent line', () => {
  it('is asked every ten seconds, and any answer counts as a sign of life', async () => {
    await goLive()
    await turn(PING_EVERY_MS)
    expect(socket().sent).toEqual(['ping'])
    await turn(1000)
    socket().say('pong')
    expect(state.lastMessageAt).toBe(Date.now())
    await turn(PING_EVERY_MS - 1)
    expect(state.state).toBe('live')
    expect(received).toHaveBeenCalledOnce()
  })

  it('counts as dead if nothing arrives within five seconds', async () => {
    await goLive()
    await turn(PING_EVERY_MS + PONG_WITHIN_MS)
    expect(state.state).toBe('offline')
    expect(socket().isClosed).toBe(true)
    await turn(1000)
    expect(sockets).toHaveLength(2)
  })
})

describe('messages', () => {
  it('reach the features in their order', async () => {
    await goLive()
    socket().say({ seq: 11, entity: 'alarm', action: 'delete', property: null, payload: { id: '1', eventId: '1' } })
    expect(received.mock.calls.map(([message]) => message.seq)).toEqual([10, 11])
  })

  it('of an earlier connection are ignored', async () => {
    await goLive()
    const old = socket()
    old.drop(1006)
    await turn(1000)
    received.mockClear()
    old.say({ seq: 12, entity: 'user', action: 'update', property: 'features', payload: {} })
    expect(received).not.toHaveBeenCalled()
  })

  it('that are none are ignored', async () => {
    await goLive()
    received.mockClear()
    for (const text of ['', 'hello', '[]', 'null', '{"entity":"alarm"}']) socket().say(text)
    expect(received).not.toHaveBeenCalled()
    expect(state.state).toBe('live')
  })

  it('that were lost permanently make everything be read again, from the number that the server names', async () => {
    await goLive(500)
    socket().drop(1006)
    await turn(1000)
    socket().greet(3, 'resync')
    expect(resync).toHaveBeenCalledOnce()
    socket().drop(1006)
    await turn(1000)
    expect(socket().address).toContain('after=3')
  })
})
