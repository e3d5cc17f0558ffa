import { createConnection, createServer, type NetConnectOpts, type Server, type Socket } from 'node:net'
import type { Workplace } from '../script/workplace.ts'

/** What happens to bytes on their way. */
export interface LineTrouble {
  /** Added to each way there and back, half of it in each direction. */
  roundTripMs?: number
  /** Chance, 0 to 1, that a piece from the caller breaks its connection instead of arriving, as a reset does. */
  resets?: number
  /** Nothing passes any more and neither end is told, as when a laptop is closed or a cable is cut. */
  isSilent?: boolean
}

interface Link {
  near: Socket
  far: Socket
  /** Also taken by links that were silent before the trouble changed. */
  isSilent: boolean
}

/** More than this waits for its time on a line in neither direction: the sender is told to wait. */
const WAITING_BYTES = 4_000_000

/**
 * A line of TCP between callers and a server, on which things go wrong. It knows nothing of what is said, so it serves
 * HTTP, live connections and PostgreSQL alike.
 */
export class FaultyLine {
  trouble: LineTrouble = {}
  /** Where new connections lead to; may be changed, as a load balancer's target is. */
  target: NetConnectOpts
  /** Connections that were broken by a reset. */
  broken = 0
  /** When the server closed a connection that its caller had left in silence. */
  readonly closedInSilence: number[] = []
  readonly #links = new Set<Link>()
  /** Of both ends, as long as they are open; a silent link is closed at one end alone. */
  readonly #sockets = new Set<Socket>()
  readonly #server: Server
  #port = 0

  private constructor(target: NetConnectOpts) {
    this.target = target
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (near) => this.#connect(near))
  }

  /** Takes connections on a free port of the loopback until the workplace ends. */
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

  /** From now on nothing passes on the connections that are open; new ones are as ever. */
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
    // null is the end of what is sent.
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
      // Timers may come a little early.
      if (waiting[0]) timer ??= setTimeout(deliver, Math.ceil(waiting[0].due - performance.now()))
    }
    const take = (piece: Buffer | null) => {
      if (this.#isSilent(link)) return
      if (mayBreak && piece !== null && Math.random() < (this.trouble.resets ?? 0)) {
        this.#break(link)
        return
      }
      const delay = (this.trouble.roundTripMs ?? 0) / 2
      // Never before what was sent earlier.
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
    // A socket in the file system knows no reset.
    if (far.remotePort === undefined) far.destroy()
    else far.resetAndDestroy()
  }

  async #close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve))
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }
}
