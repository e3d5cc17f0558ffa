import type { AddressInfo } from 'node:net'
import { connect, createServer, type Server, type Socket } from 'node:net'

/** A network connection to a local port that can be cut: open connections break, and new ones are refused. */
export class Cable {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #isCut = false

  private constructor(to: number) {
    this.#server = createServer((from) => {
      if (this.#isCut) {
        from.destroy()
        return
      }
      const onward = connect(to, '127.0.0.1')
      for (const [socket, other] of [
        [from, onward],
        [onward, from],
      ] as const) {
        this.#sockets.add(socket)
        socket
          .on('error', () => other.destroy())
          .on('close', () => {
            this.#sockets.delete(socket)
            other.destroy()
          })
      }
      from.pipe(onward).pipe(from)
    })
  }

  static async to(port: number): Promise<Cable> {
    const cable = new Cable(port)
    await new Promise<void>((resolve) => cable.#server.listen(0, '127.0.0.1', resolve))
    return cable
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  cut(): void {
    this.#isCut = true
    for (const socket of this.#sockets) socket.destroy()
  }

  /** Open connections carry nothing any more, and neither end notices. */
  stall(): void {
    for (const socket of this.#sockets) socket.unpipe().pause()
  }

  mend(): void {
    this.#isCut = false
  }

  async end(): Promise<void> {
    this.cut()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}
