import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A receiver of webhooks that keeps the requests. */
export interface WebhookReceiver {
  url: string
  requests: { headers: IncomingHttpHeaders; body: string }[]
  /** The answer from now on; 204 by default. `hang` never answers. */
  answer: { status: number; headers?: Record<string, string>; body?: string | Buffer } | 'hang'
  /** Awaited before each answer. */
  onRequest: () => Promise<void>
  close(): Promise<void>
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const server = createServer((request, response) => {
    text(request)
      .then(async (body) => {
        receiver.requests.push({ headers: request.headers, body })
        await receiver.onRequest()
        if (receiver.answer === 'hang') return
        response.writeHead(receiver.answer.status, receiver.answer.headers)
        response.end(receiver.answer.body)
      })
      .catch((error: Error) => response.destroy(error))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${port}/hook`,
    requests: [],
    answer: { status: 204 },
    onRequest: async () => undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return receiver
}
