import type { LiveMessage } from '@benchwatch/contract/live'
import type { ApiClient } from './api-client.ts'

/** The live connection of a screen, which receives messages with the time of their arrival. */
export class LiveClient {
  readonly #socket: WebSocket
  readonly #waiting = new Set<{ fits(message: LiveMessage): boolean; found(at: number): void }>()

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.addEventListener('message', ({ data }) => {
      const at = performance.now()
      const message = JSON.parse(String(data)) as LiveMessage
      for (const waiter of this.#waiting) {
        if (!waiter.fits(message)) continue
        this.#waiting.delete(waiter)
        waiter.found(at)
      }
    })
  }

  /** Opens the connection of a signed-in user and waits for its first message. */
  static async open(api: ApiClient): Promise<LiveClient> {
    const { token } = await api.call<{ token: string }>('POST', '/api/auth/live-token')
    const socket = new WebSocket(`${api.baseUrl.replace(/^http/, 'ws')}/api/live?token=${token}`)
    const client = new LiveClient(socket)
    await client.arrival(({ entity }) => entity === 'hello')
    return client
  }

  /**
   * Waits for the next message that fits and returns its time of `performance.now()`. Rejects when none arrives within
   * ten seconds.
   */
  arrival(fits: (message: LiveMessage) => boolean): Promise<number> {
    return new Promise((resolve, reject) => {
      const tooLong = setTimeout(() => reject(new Error('No such live message came within 10 s.')), 10_000)
      this.#waiting.add({
        fits,
        found(at) {
          clearTimeout(tooLong)
          resolve(at)
        },
      })
    })
  }

  close(): void {
    this.#socket.close()
  }
}
