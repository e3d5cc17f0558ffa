import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'

/** Receives the notifications of a channel, across broken connections, until it is closed. */
export interface Listener {
  close(): Promise<void>
}

interface ListenerInput {
  /** A name that needs no quotes. */
  channel: string
  /**
   * Called for each notification, and with '' after each reconnection: notifications sent in between are lost, so the
   * receiver has to check by itself.
   */
  onNotify(payload: string): void
}

const FIRST_RETRY_MS = 200
const LONGEST_RETRY_MS = 5000
/** A connection that a firewall dropped stays silent forever; a query reveals it. */
const HEARTBEAT_MS = 15_000

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
      await untilBroken(current)
      if (signal.aborted) return
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

  async function untilBroken(client: Client): Promise<void> {
    const broken = new AbortController()
    client.once('end', () => broken.abort())
    client.once('error', () => broken.abort())
    const either = AbortSignal.any([signal, broken.signal])
    while (!either.aborted) {
      await pause(HEARTBEAT_MS, undefined, { signal: either }).catch(() => undefined)
      if (!either.aborted) await answers(client).catch(() => broken.abort())
    }
    if (!signal.aborted) client.end().catch(() => undefined)
  }
}

async function answers(client: Client): Promise<void> {
  const answered = new AbortController()
  try {
    await Promise.race([
      client.query('SELECT 1'),
      pause(LONGEST_RETRY_MS, undefined, { signal: answered.signal }).then(() => {
        throw new Error('The connection is silent.')
      }),
    ])
  } finally {
    answered.abort()
  }
}
