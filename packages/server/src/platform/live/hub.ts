import type { WebSocket } from 'ws'

/** Text that is ready to send, and its audience. */
export interface Broadcast {
  seq: number
  customerId: number | null
  userId: number | null
  text: string
}

/** One open connection and its rights; `maySee` is called before each message. */
export interface Viewer {
  userId: number
  sessionId: string
  /** The user's rights as a text to compare: a connection is closed when the user's rights have changed. */
  rights: string
  /** Names of the audiences that contain the user. */
  subjects: readonly string[]
  maySee(broadcast: Broadcast): boolean
}

/** A client that reads nothing is disconnected above this size; it catches up after it reconnects. */
const MAX_BUFFERED_BYTES = 1_000_000
/** A half-open connection is detected by a missing pong within two intervals, which is within a minute. */
const PING_MS = 25_000

interface Connection {
  socket: WebSocket
  viewer: Viewer
  alive: boolean
  /** Checks of the user's rights that have not ended; messages wait for them. */
  checks: number
  held: Broadcast[]
}

/** Open sockets and the fan-out to them. Knows neither entities nor roles. */
export class LiveHub {
  readonly #connections = new Set<Connection>()
  readonly #timer: NodeJS.Timeout
  /** Number of connections by subject. */
  readonly #subjects = new Map<string, number>()
  readonly #onSubjects: (subjects: ReadonlyMap<string, number>) => void

  /** `onSubjects` is called whenever the first connection of a subject opens or the last one closes. */
  constructor(onSubjects: (subjects: ReadonlyMap<string, number>) => void = () => undefined) {
    this.#onSubjects = onSubjects
    this.#timer = setInterval(() => this.#ping(), PING_MS)
    this.#timer.unref()
  }

  /** Adds a socket; it is removed when it closes. */
  add(socket: WebSocket, viewer: Viewer): void {
    const connection: Connection = { socket, viewer, alive: true, checks: 0, held: [] }
    this.#connections.add(connection)
    this.#count(viewer, 1)
    socket.on('pong', () => {
      connection.alive = true
    })
    socket.on('close', () => {
      if (this.#connections.delete(connection)) this.#count(viewer, -1)
    })
    socket.on('error', () => socket.terminate())
  }

  /**
   * Sends each message to the connections that may see it, and returns the messages to single users that reached one.
   * Messages after such a one may lie outside the user's new rights, so they are held until `release`.
   */
  deliver(broadcasts: readonly Broadcast[]): { viewer: Viewer; broadcast: Broadcast }[] {
    const delivered: { viewer: Viewer; broadcast: Broadcast }[] = []
    for (const connection of this.#connections) {
      const { viewer } = connection
      const mine: typeof delivered = []
      for (const broadcast of broadcasts) {
        if (!viewer.maySee(broadcast)) continue
        if (connection.checks > 0) connection.held.push(broadcast)
        else send(connection, broadcast)
        if (broadcast.userId === null) continue
        if (mine.length === 0) connection.checks += 1
        mine.push({ viewer, broadcast })
      }
      delivered.push(...mine)
    }
    return delivered
  }

  /** Ends the check that one delivery began for each of these connections, and sends what waited for it. */
  release(viewers: ReadonlySet<Viewer>): void {
    for (const connection of this.#connections) {
      if (!viewers.has(connection.viewer)) continue
      connection.checks -= 1
      if (connection.checks === 0) for (const broadcast of connection.held.splice(0)) send(connection, broadcast)
    }
  }

  /** Closes one connection or all of a session. Without a code the browser sees 1005 and does not reconnect. */
  end(whose: { sessionId: string } | { viewer: Viewer }, code?: number): void {
    for (const { socket, viewer } of this.#connections) {
      if ('viewer' in whose ? viewer !== whose.viewer : viewer.sessionId !== whose.sessionId) continue
      if (code === undefined) socket.close()
      else socket.close(code)
    }
  }

  /** Closes all connections with a code. */
  endAll(code: number): void {
    for (const { socket } of this.#connections) socket.close(code)
  }

  /** Closes all connections with a code, for a deployment. */
  close(code: number): void {
    clearInterval(this.#timer)
    this.endAll(code)
  }

  get size(): number {
    return this.#connections.size
  }

  #count({ subjects }: Viewer, by: 1 | -1): void {
    const before = this.#subjects.size
    for (const subject of subjects) {
      const count = (this.#subjects.get(subject) ?? 0) + by
      if (count === 0) this.#subjects.delete(subject)
      else this.#subjects.set(subject, count)
    }
    if (this.#subjects.size !== before) this.#onSubjects(this.#subjects)
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

function send({ socket }: Connection, { text }: Broadcast): void {
  if (socket.readyState !== socket.OPEN) return
  socket.send(text)
  // Checked after each message: a thousand at once may be 8 MB.
  if (socket.bufferedAmount > MAX_BUFFERED_BYTES) socket.terminate()
}
