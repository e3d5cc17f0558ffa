import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'
import { keepAlive } from './heartbeat.ts'

/** Receives the notifications of a channel, across broken connections, until it is closed. */
export interface Listener {
  close(): Promise<void>
}

interface ListenerInput {
  /** A name that needs no quotes. */
  channel: string
  /**
   * Called for each notification, and with '' after each reconnection: notifications sent in between are lost, so the
   * receiver has to check on its own.
   */
  onNotify(payload: string): void
}

const FIRST_RETRY_MS = 200
const LONGEST_RETRY_MS = 5000

/** Opens a separate connection and listens. Throws if the first connection fails; later ones are retried forever. */
export async function startListener(
  connect: () => Promise<Client>,
  { channel, onNotify }: ListenerInput,
): Promise<Listener> {
  const stopping = new AbortController()
  const { signal } = stopping
  let current = await open()
  const finished = keepOpen()
  return {
    async close() {
      stopping.abort()
      await current.end().catch(() => undefined)
      await finished
    },
  }

  async function open(): Promise<Client> {
    const client = await connect()
    try {
      client.on('notification', ({ payload }) => onNotify(payload ?? ''))
      await client.query(`LISTEN ${channel}`)
      return client
    } catch (error) {
      await client.end().catch(() => undefined)
      throw error
    }
  }

  async function keepOpen(): Promise<void> {
    while (!signal.aborted) {
      await keepAlive(current, signal)
      if (signal.aborted) return
      current.end().catch(() => undefined)
      await reopen()
    }
  }

  async function reopen(): Promise<void> {
    for (let waitMs = FIRST_RETRY_MS; !signal.aborted; waitMs = Math.min(waitMs * 2, LONGEST_RETRY_MS)) {
      try {
        const client = await open()
        current = client
        if (signal.aborted) await client.end()
        else onNotify('')
        return
      } catch {
        // Jitter, so that many nodes don't return to a restarted server at the same moment.
        await pause(waitMs * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => undefined)
      }
    }
  }
}
