import type { LiveMessage } from '@benchwatch/contract/live'
import { ApiError, type Client } from './client.ts'
import { createLiveConnection, type LiveSocket } from './live-connection.ts'

interface Options {
  /** Sequence number of the last message seen; the messages after it come first. */
  after?: number
  /** Ends the messages. */
  signal?: AbortSignal
  /** Opens a websocket. Node 20 has none of its own: pass `(address) => new WebSocket(address)` of a package. */
  openSocket?: (address: string) => LiveSocket
}

/**
 * Returns the live messages of the client's user until the signal aborts. It reconnects on its own and catches up by
 * sequence number. Each connection begins with a `hello`; if its action is `resync`, messages were lost for good and
 * the caller has to read its data again.
 * @throws ApiError if the server refuses the client or ends the session.
 */
export async function* liveMessages(
  client: Client,
  { after, signal, openSocket = (address) => new WebSocket(address) }: Options = {},
): AsyncGenerator<LiveMessage, void, undefined> {
  const waiting: LiveMessage[] = []
  let refusal: ApiError | undefined
  let wake = () => {}
  const connection = createLiveConnection({
    fetchToken: async () => {
      try {
        return (await client.call('createLiveToken')).token
      } catch (error) {
        if (error instanceof ApiError && (error.status === 401 || error.status === 403)) fail(error)
        throw error
      }
    },
    openSocket: (path) => openSocket(`${client.url.replace(/^http/, 'ws')}${path}`),
    onMessage: (message) => {
      waiting.push(message)
      wake()
    },
    onResync: () => {},
    onSignedOut: () =>
      fail(new ApiError('The server has ended the session. Sign in again.', { status: 401, code: 'session-expired' })),
  })
  function fail(error: ApiError): void {
    refusal = error
    connection.stop()
    wake()
  }
  const end = () => wake()
  signal?.addEventListener('abort', end)
  connection.start(after)
  try {
    while (!signal?.aborted) {
      const message = waiting.shift()
      if (message) yield message
      else if (refusal) throw refusal
      else
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    }
  } finally {
    signal?.removeEventListener('abort', end)
    connection.stop()
  }
}
