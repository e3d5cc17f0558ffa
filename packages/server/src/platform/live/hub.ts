import type { WebSocket } from 'ws'

/** Text that is ready to send, with who may see it. */
export interface Broadcast {
  seq: number
  customerId: number | null
  userId: number | null
  text: string
}

/** One open connection and what its user may see; `maySee` is asked before anything is sent. */
export interface Viewer {
  userId: number
  sessionId: string
  /** What its user may see, as a text to compare: a connection with other rights than the user's of now is closed. */
  rights: string
  maySee(broadcast: Broadcast): boolean
}

/** A reader that takes nothing: it is cut off and catches up after it reconnects. */
const MAX_BUFFERED_BYTES = 1_000_000
/** A half-open connection is found by a missing pong within two of these, and so within a minute. */
const PING_MS = 25_000

interface Connection {
  socket: WebSocket
  viewer: Viewer
  alive: boolean
}

/** Open sockets and the fan-out to them. Knows neither entities nor roles. */
export class LiveHub {
  readonly #connections = new Set<Connection>()
  readonly #timer: NodeJS.Timeout

  constructor() {
    this.#timer = setInterval(() => this.#ping(), PING_MS)
    this.#timer.unref()
  }

  /** Takes a socket over; it leaves by itself when it closes. */
  add(socket: WebSocket, viewer: Viewer): void {
    const connection: Connection = { socket, viewer, alive: true }
    this.#connections.add(connection)
    socket.on('pong', () => {
      connection.alive = true
    })
    socket.on('close', () => this.#connections.delete(connection))
    socket.on('error', () => socket.terminate())
  }

  /** Sends each message to those who may see it; returns who was sent those that go to one user. */
  deliver(broadcasts: readonly Broadcast[]): { viewer: Viewer; broadcast: Broadcast }[] {
    const told: { viewer: Viewer; broadcast: Broadcast }[] = []
    for (const { socket, viewer } of this.#connections) {
      for (const broadcast of broadcasts) {
        if (socket.readyState !== socket.OPEN) break
        if (!viewer.maySee(broadcast)) continue
        socket.send(broadcast.text)
        if (broadcast.userId !== null) told.push({ viewer, broadcast })
        // After each one: a thousand that come at once may be 8 MB.
        if (socket.bufferedAmount > MAX_BUFFERED_BYTES) socket.terminate()
      }
    }
    return told
  }

  /** Ends a connection or all of a session; without a code the browser sees 1005 and does not come back. */
  end(whose: { sessionId: string } | { viewer: Viewer }, code?: number): void {
    for (const { socket, viewer } of this.#connections) {
      if ('viewer' in whose ? viewer !== whose.viewer : viewer.sessionId !== whose.sessionId) continue
      if (code === undefined) socket.close()
      else socket.close(code)
    }
  }

  /** Who of these users has a connection open here. */
  viewersOf(userIds: ReadonlySet<number>): Viewer[] {
    return [...this.#connections].flatMap(({ viewer }) => (userIds.has(viewer.userId) ? viewer : []))
  }

  /** Closes everything with a code, for a deploy. */
  close(code: number): void {
    clearInterval(this.#timer)
    for (const { socket } of this.#connections) socket.close(code)
  }

  get size(): number {
    return this.#connections.size
  }

  #ping(): void {
    for (const connection of this.#connections) {
      if (!connection.alive) {
        connection.socket.terminate()
        continue
      }
      connection.alive = false
      connection.socket.ping()
    }
  }
}
