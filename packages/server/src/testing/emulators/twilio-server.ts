import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** An HTTP server that answers like Twilio and keeps the requests. */
export interface TwilioServer {
  url: string
  requests: { method: string; path: string; headers: IncomingHttpHeaders; body: string }[]
  /** The answer from now on; 201 by default. `hang` never answers, `drop` and `reset` close the connection. */
  answer: { status: number; code?: number; location?: string } | 'hang' | 'drop' | 'reset'
  close(): Promise<void>
}

export async function startTwilioServer(): Promise<TwilioServer> {
  const http = createServer((request, response) => {
    const { method = '', url: path = '', headers } = request
    text(request)
      .then((body) => {
        server.requests.push({ method, path, headers, body })
        if (server.answer === 'hang') return
        if (server.answer === 'drop') return request.socket.destroy()
        if (server.answer === 'reset') return request.socket.resetAndDestroy()
        const { status, code, location } = server.answer
        response.writeHead(status, { 'content-type': 'application/json', ...(location && { location }) })
        response.end(
          JSON.stringify(status < 300 ? { sid: 'SM1' } : { code, message: 'The number +4670 is wrong', status }),
        )
      })
      .catch((error: Error) => response.destroy(error))
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const server: TwilioServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    requests: [],
    answer: { status: 201 },
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve())
        http.closeAllConnections()
      }),
  }
  return server
}
