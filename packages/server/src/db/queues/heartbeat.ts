import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'

/** Proxies close silent connections, often after half an hour. */
const EVERY_MS = 15_000
const PATIENCE_MS = 5000
/** The shortest statement. */
export const STILL_ALIVE = 'SELECT'

/**
 * Asks an idle connection for an answer now and then, and breaks it if none comes: nothing else shows that its server
 * has lost its power, or that a firewall has dropped it. Resolves when the connection is broken or `signal` aborts.
 */
export async function keepAlive(
  client: Client,
  signal: AbortSignal,
  { everyMs = EVERY_MS, patienceMs = PATIENCE_MS } = {},
): Promise<void> {
  const broken = new AbortController()
  client.once('end', () => broken.abort())
  client.once('error', () => broken.abort())
  const either = AbortSignal.any([signal, broken.signal])
  const silence = new Error('The connection is silent.')
  while (!either.aborted) {
    await pause(everyMs, undefined, { signal: either }).catch(() => undefined)
    if (either.aborted) return
    const giveUp = setTimeout(() => client.connection.stream.destroy(silence), patienceMs)
    await client.query(STILL_ALIVE).catch(() => undefined)
    clearTimeout(giveUp)
  }
}
