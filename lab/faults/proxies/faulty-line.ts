import { createConnection, createServer, type NetConnectOpts, type Server, type Socket } from 'node:net'
import type { Workplace } from '../script/workplace.ts'

/** The trouble that bytes meet on the way. */
export interface LineTrouble {
  /** Added to each round trip, half of it in each direction. */
  roundTripMs?: number
  /** The chance, 0 to 1, that a chunk from the caller resets its connection instead of arriving. */
  resets?: number
  /** Nothing passes any more and neither end notices, as when a laptop is closed or a cable is cut. */
  isSilent?: boolean
}

interface Link {
  near: Socket
  far: Socket
  /** Stays true for links that were silent before the trouble changed. */
  isSilent: boolean
}

/** At most this many bytes are delayed in each direction; then the sender is paused. */
const WAITING_BYTES = 4_000_000

/**
 * A TCP proxy between callers and a server, with network trouble. It does not read the content, so it serves HTTP, live
 * connections and PostgreSQL alike.
 */
export class FaultyLine {
  trouble: LineTrouble = {}
  /** The target of new connections; it can be changed, like that of a load balancer. */
  target: NetConnectOpts
  /** The number of connections that were reset. */
  broken = 0
  /** The times at which the server closed a silent connection. */
  readonly closedInSilence: number[] = []
  readonly #links = new Set<Link>()
  /** The open sockets of both ends; a silent link is closed at one end only. */
  readonly #sockets = new Set<Socket>()
  readonly #server: Server
  #port = 0

  private constructor(target: NetConnectOpts) {
    this.target = target
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (near) => this.#connect(near))
  }

  /** Listens on a free port of the loopback until the end of the script. */
  static async open(workplace: Workplace, target: NetConnectOpts): Promise<FaultyLine> {
    const line = new FaultyLine(target)
    await new Promise<void>((resolve) => line.#server.listen(0, '127.0.0.1', resolve))
    const address = line.#server.address()
    if (address !== null && typeof address !== 'string') line.#port = address.port
    workplace.atEnd(() => line.#close())
    return line
  }

  get port(): number {
    return this.#port
  }

  /** Silences all open connections; new ones are not affected. */
  silence(): void {
    for (const link of this.#links) link.isSilent = true
  }

  /** Resets every connection at once. */
  reset(): void {
    for (const link of this.#links) this.#break(link)
  }

  #connect(near: Socket): void {
    const far = createConnection({ ...this.target, allowHalfOpen: true })
    far.setNoDelay(true)
    const link: Link = { near, far, isSilent: false }
    this.#links.add(link)
    for (const socket of [near, far]) {
      this.#sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => this.#sockets.delete(socket))
    }
    this.#carry(link, { from: near, to: far, mayBreak: true })
    this.#carry(link, { from: far, to: near, mayBreak: false })
    far.on('end', () => {
      if (this.#isSilent(link)) far.destroy()
    })
    far.on('close', () => {
      if (this.#isSilent(link)) this.closedInSilence.push(Date.now())
      else near.destroySoon()
      this.#links.delete(link)
    })
    near.on('close', () => {
      if (!this.#isSilent(link)) far.destroySoon()
    })
  }

  #isSilent({ isSilent }: Link): boolean {
    return isSilent || this.trouble.isSilent === true
  }

  #carry(link: Link, { from, to, mayBreak }: { from: Socket; to: Socket; mayBreak: boolean }): void {
    // null marks the end of the stream.
    const waiting: { due: number; piece: Buffer | null }[] = []
    let bytes = 0
    let timer: NodeJS.Timeout | undefined
    const deliver = () => {
      clearTimeout(timer)
      timer = undefined
      for (let first = waiting[0]; first && first.due <= performance.now(); first = waiting[0]) {
        waiting.shift()
        bytes -= first.piece?.length ?? 0
        if (this.#isSilent(link) || to.destroyed) continue
        if (first.piece === null) to.end()
        else to.write(first.piece)
      }
      if (bytes < WAITING_BYTES && to.writableLength < WAITING_BYTES) from.resume()
      // Timers may fire a little early.
      if (waiting[0]) timer ??= setTimeout(deliver, Math.ceil(waiting[0].due - performance.now()))
    }
    const take = (piece: Buffer | null) => {
      if (this.#isSilent(link)) return
      if (mayBreak && piece !== null && Math.random() < (this.trouble.resets ?? 0)) {
        this.#break(link)
        return
      }
      const delay = (this.trouble.roundTripMs ?? 0) / 2
      // Keep the order of the chunks.
      const due = Math.max(performance.now() + delay, waiting.at(-1)?.due ?? 0)
      waiting.push({ due, piece })
      bytes += piece?.length ?? 0
      if (bytes > WAITING_BYTES || to.writableLength > WAITING_BYTES) from.pause()
      if (timer === undefined) deliver()
    }
    from.on('data', take)
    from.on('end', () => take(null))
    to.on('drain', deliver)
  }

  #break({ near, far }: Link): void {
    this.broken += 1
    near.resetAndDestroy()
    // A Unix socket cannot be reset.
    if (far.remotePort === undefined) far.destroy()
    else far.resetAndDestroy()
  }

  async #close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve))
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }
}
