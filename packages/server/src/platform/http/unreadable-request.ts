import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { type ProblemError, problem, problemBody } from './problem.ts'

/**
 * Answers what Node's parser could not read as a request, before Fastify sees it: raw bytes in an address, headers that
 * are too long, a request that never ends. The connection is closed after it.
 */
export function refuseUnreadable(error: Error & { code?: string }, socket: Socket): void {
  // A reset connection hears nothing any more.
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const told = asProblem(error.code)
  const body = JSON.stringify(problemBody(told, randomUUID()))
  socket.end(
    [
      `HTTP/1.1 ${told.status} ${told.title}`,
      'content-type: application/problem+json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      'cache-control: no-store',
      "content-security-policy: default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options: nosniff',
      'referrer-policy: no-referrer',
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}

function asProblem(code: string | undefined): ProblemError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return problem('headers-too-large', 'Address and headers are too long. Send less in them.')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return problem('request-timeout', 'The request did not arrive whole in time. Send it again.')
    default:
      return problem('unreadable-request', 'This is no valid HTTP request. Percent-encode the address as UTF-8.')
  }
}
