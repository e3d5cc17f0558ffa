import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import { createConnection, type Socket } from 'node:net'
import type { Workplace } from '../script/workplace.ts'

/** A change that passed the proxy. */
interface Passed {
  path: string
  /** The server's answer. */
  status: number
  isLost: boolean
}

/**
 * A reverse proxy that times out: it waits for the server's answer to a change of an event, so that the change is made,
 * and then answers 504. Everything else passes unchanged, live connections too.
 */
export class TimingOutProxy {
  readonly passed: Passed[] = []
  /** The number of answers to changes that will be lost. */
  toLose = 0
  readonly #port: number
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  private constructor(port: number) {
    this.#port = port
    this.#server = createServer((incoming, outgoing) => this.#forward(incoming, outgoing))
    this.#server.on('upgrade', (incoming: IncomingMessage, socket: Socket, head: Buffer) =>
      this.#upgrade(incoming, { socket, head }),
    )
    this.#server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket)
      socket.on('close', () => this.#sockets.delete(socket))
    })
  }

  /** Starts in front of the product at this address; it is closed at the end of the script. */
  static async before(workplace: Workplace, url: string): Promise<TimingOutProxy> {
    const proxy = new TimingOutProxy(Number(new URL(url).port))
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve))
    workplace.atEnd(async () => {
      const closed = new Promise((resolve) => proxy.#server.close(resolve))
      for (const socket of proxy.#sockets) socket.destroy()
      await closed
    })
    return proxy
  }

  get url(): string {
    const address = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error('The proxy does not listen.')
    return `http://127.0.0.1:${address.port}`
  }

  #forward(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { method, url = '', headers } = incoming
    const onward = request({ host: '127.0.0.1', port: this.#port, method, path: url, headers }, (answer) => {
      if (method !== 'PUT' || !/^\/api\/alarms\/\d+$/.test(url)) {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
        return
      }
      const isLost = this.toLose > 0
      this.toLose -= isLost ? 1 : 0
      this.passed.push({ path: url, status: answer.statusCode ?? 0, isLost })
      if (isLost) {
        answer.resume()
        answer.on('end', () => {
          outgoing.writeHead(504, { 'content-type': 'text/html' })
          outgoing.end('<h1>504 Gateway Time-out</h1>')
        })
      } else {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      }
    })
    onward.on('error', () => outgoing.destroy())
    incoming.pipe(onward)
  }

  #upgrade({ method, url, rawHeaders }: IncomingMessage, { socket, head }: { socket: Socket; head: Buffer }): void {
    const onward = createConnection({ host: '127.0.0.1', port: this.#port }, () => {
      const lines = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${rawHeaders[at + 1]}`] : []))
      onward.write(`${method} ${url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
      onward.write(head)
      onward.pipe(socket).pipe(onward)
    })
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
  }
}
