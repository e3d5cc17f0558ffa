import { once } from 'node:events'
import { createConnection } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** The answer to raw bytes on a connection. Status 0 means that there was no answer. */
interface RawAnswer {
  status: number
  body: string
  tookMs: number
  /** Returns whether the server had closed the connection by then. */
  closed: boolean
  sentBytes: number
}

interface RawRequest {
  /** The head and the first bytes. */
  begin: string | Buffer
  /** Written repeatedly until the server answers or closes the connection. */
  again?: Buffer
  /** The pause between two writes of `again`. */
  everyMs?: number
  patienceMs?: number
}

/**
 * Writes bytes that no HTTP client would: a body without an end, half a request, nonsense. Resolves with the first
 * answer, when the server closes the connection, or after `patienceMs`.
 */
export async function sendRaw(
  url: string,
  { begin, again, everyMs = 0, patienceMs = 20_000 }: RawRequest,
): Promise<RawAnswer> {
  const { hostname, port } = new URL(url)
  const began = performance.now()
  const socket = createConnection({ host: hostname, port: Number(port) })
  let received = ''
  let closed = false
  const over = Promise.withResolvers<void>()
  const isClosed = Promise.withResolvers<void>()
  socket.setEncoding('latin1')
  socket.on('data', (text: string) => {
    received += text
    if (isWhole(received)) over.resolve()
  })
  socket.on('error', () => undefined)
  socket.on('close', () => {
    closed = true
    isClosed.resolve()
    over.resolve()
  })
  const patience = setTimeout(over.resolve, patienceMs)
  await Promise.race([once(socket, 'connect').catch(() => undefined), over.promise])
  socket.write(begin)
  const feed = again === undefined ? undefined : setInterval(() => feedOnce(), everyMs)
  function feedOnce(): void {
    if (again !== undefined && !socket.destroyed && socket.writableLength < 1_000_000) socket.write(again)
  }
  await over.promise
  clearTimeout(patience)
  clearInterval(feed)
  // The answer and the end of the connection may arrive separately.
  if (!closed) await Promise.race([isClosed.promise, pause(200)])
  socket.destroy()
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(received)?.[1] ?? 0),
    body: received.split('\r\n\r\n').slice(1).join('\r\n\r\n'),
    tookMs: performance.now() - began,
    closed,
    sentBytes: socket.bytesWritten,
  }
}

function isWhole(received: string): boolean {
  const [head, body] = received.split('\r\n\r\n')
  const length = /content-length: (\d+)/i.exec(head ?? '')?.[1]
  return body !== undefined && length !== undefined && body.length >= Number(length)
}
