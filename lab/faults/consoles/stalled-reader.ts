import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { type HttpClient, jsonOf } from '../product/http-client.ts'
import type { Workplace } from '../script/workplace.ts'

const ASKED_TIMES = 50

/** A reader of the server, identified by the local port of its connection. */
export interface Reader {
  port: number
}

/** Opens a live connection at this address, which may be that of a faulty line, and waits for its greeting. */
export async function openLive(
  workplace: Workplace,
  { client, token, at = client.url }: { client: HttpClient; token: string; at?: string },
): Promise<{ socket: WebSocket; reader: Reader }> {
  const answer = await client.send({ method: 'POST', path: '/api/auth/live-token', token })
  const live = jsonOf<{ token: string }>(answer).token
  const socket = new WebSocket(`${at.replace('http', 'ws')}/api/live?token=${live}`, { perMessageDeflate: false })
  socket.on('error', () => undefined)
  workplace.atEnd(() => socket.terminate())
  let port = 0
  socket.on('upgrade', ({ socket: { localPort } }) => {
    port = localPort ?? 0
  })
  await once(socket, 'message')
  return { socket, reader: { port } }
}

/**
 * Requests the description of the API many times and never reads it: far more than the system buffers for one
 * connection.
 */
export async function askAndNeverRead(workplace: Workplace, url: string): Promise<Reader> {
  const { hostname, port } = new URL(url)
  const socket = createConnection({ host: hostname, port: Number(port) })
  socket.on('error', () => undefined)
  workplace.atEnd(() => socket.destroy())
  await once(socket, 'connect')
  socket.pause()
  socket.write(`GET /api/openapi.json HTTP/1.1\r\nhost: ${hostname}\r\n\r\n`.repeat(ASKED_TIMES))
  return { port: socket.localPort ?? 0 }
}

/**
 * Waits until the server has closed these connections. Returns how long each took, or null for one that is still open.
 */
export async function untilClosed(
  readers: readonly Reader[],
  { url, since, withinMs }: { url: string; since: number; withinMs: number },
): Promise<(number | null)[]> {
  const closedAfter = new Map<Reader, number>()
  while (closedAfter.size < readers.length && Date.now() - since < withinMs) {
    const peers = peersOf(Number(new URL(url).port))
    for (const reader of readers) {
      if (!peers.has(reader.port) && !closedAfter.has(reader)) closedAfter.set(reader, Date.now() - since)
    }
    await pause(100)
  }
  return readers.map((reader) => closedAfter.get(reader) ?? null)
}

/** The state ESTABLISHED in /proc/net/tcp. */
const ESTABLISHED = '01'

/**
 * Returns the remote ports of the open connections of a process that listens on this port, as the system reports them.
 */
function peersOf(port: number): Set<number> {
  const own = port.toString(16).toUpperCase().padStart(4, '0')
  const peers = new Set<number>()
  for (const line of readFileSync('/proc/net/tcp', 'utf8').split('\n').slice(1)) {
    const [, local = '', remote = '', state] = line.trim().split(/\s+/)
    if (local.endsWith(`:${own}`) && state === ESTABLISHED) peers.add(parseInt(remote.split(':')[1] ?? '0', 16))
  }
  return peers
}
