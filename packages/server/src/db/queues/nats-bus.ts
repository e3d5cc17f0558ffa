import { setTimeout as pause } from 'node:timers/promises'
import type { NatsConnection, Subscription } from '@nats-io/transport-node'
import { sql } from 'kysely'
import type { Broadcast } from '../../platform/live/hub.ts'
import type { Log } from '../../platform/log.ts'
import type { DatabaseHandle } from '../connect.ts'
import { databaseId } from '../sql/database-identity.ts'
import { ALL_CUSTOMERS, type LiveBus, postgresBus, type Receive } from './live-bus.ts'
import { CATCH_UP_LIMIT, type Published, readPublished } from './publisher.ts'

/** PostgreSQL also announces each batch; NATS has this long to deliver it first. */
const HEAD_START_MS = 150
const RETRY_MS = 1000
/** A connection that a firewall dropped stays silent forever; a ping without an answer reveals it. */
const PING_MS = 15_000

interface NatsInput {
  /** nats:// or tls://, with user and password or a token. */
  url: string
  database: Pick<DatabaseHandle, 'db' | 'listen'>
  log: Log
}

/** Ends a batch: the subjects of its messages, or null if the messages were not sent. */
type BatchEnd = Published & { subjects: string[] | null }

/**
 * Carries the messages themselves, by a subject for each customer and user, so that a process neither reads the table
 * nor hears what none of its viewers may see. NATS keeps nothing and may lose anything. So a batch ends with a message
 * that names its range of numbers and its subjects: what a process misses of either, it reads from the table. While
 * NATS is down, everything is read from the table when PostgreSQL announces it; connecting is retried without limit.
 */
export async function natsBus({ url, database, log }: NatsInput): Promise<LiveBus> {
  const { connect } = await import('@nats-io/transport-node')
  const { db } = database
  const bell = postgresBus(database)
  // Several installations may share a NATS server, and their customers have the same numbers.
  const { rows } = await sql<{ id: string }>`SELECT ${sql.raw(databaseId)} AS id`.execute(db)
  const prefix = `benchwatch.${rows[0]?.id ?? ''}`
  const stopping = new AbortController()
  const subscriptions = new Map<string, Subscription>()
  /** Messages of batches that have not ended yet, by the number of their batch and their subject. */
  const parts = new Map<string, Broadcast[]>()
  let wanted: ReadonlyMap<string, number> = new Map()
  let connection: NatsConnection | undefined
  let isConnected: boolean | undefined
  let isSyncing = false
  let receive: Receive = () => undefined
  const finished = keepConnected()

  return {
    async publish(published) {
      if (connection && isConnected) {
        await send(connection, published).catch((error: unknown) =>
          log.warn({ err: error }, 'NATS did not take live messages'),
        )
      }
      await bell.publish(published)
    },
    async subscribe(given) {
      receive = given
      await bell.subscribe((published) => {
        if (isConnected) setTimeout(() => receive(published, null), HEAD_START_MS).unref()
        else receive(published, null)
      })
    },
    listenTo(subjects) {
      wanted = subjects
      if (isSyncing) return
      // Once for all consoles that return at the same moment.
      isSyncing = true
      setImmediate(() => {
        isSyncing = false
        if (connection) subscribeToWanted(connection)
      })
    },
    degraded: () => (isConnected ? [] : ['nats']),
    async close() {
      stopping.abort()
      await connection?.close()
      await finished
      await bell.close()
    },
  }

  async function keepConnected(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        connection = await connect({ ...optionsOf(url), pingInterval: PING_MS, maxReconnectAttempts: -1 })
        if (stopping.signal.aborted) await connection.close()
        else await serve(connection)
      } catch (error) {
        noteConnected(false, error)
      }
      await pause(RETRY_MS, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  }

  /** Returns when the connection is closed for good. */
  async function serve(opened: NatsConnection): Promise<void> {
    const statuses = opened.status()
    opened.subscribe(`${prefix}.batch`, { callback: (_error, message) => endBatch(message.json<BatchEnd>()) })
    subscribeToWanted(opened)
    noteConnected(true)
    for await (const { type } of statuses) {
      if (type === 'disconnect') noteConnected(false)
      if (type === 'reconnect') noteConnected(true)
    }
    subscriptions.clear()
    noteConnected(false, await opened.closed())
  }

  function noteConnected(now: boolean, error?: unknown): void {
    if (now === isConnected || stopping.signal.aborted) return
    isConnected = now
    if (now) log.info('NATS carries live messages')
    else log.warn({ err: error }, 'NATS is down: live messages are read from PostgreSQL')
  }

  function subscribeToWanted(opened: NatsConnection): void {
    const isCovered = (subject: string) =>
      wanted.has(ALL_CUSTOMERS) && subject !== ALL_CUSTOMERS && subject.startsWith('customer.')
    for (const [subject, subscription] of subscriptions) {
      if (wanted.has(subject) && !isCovered(subject)) continue
      subscription.unsubscribe()
      subscriptions.delete(subject)
    }
    for (const subject of wanted.keys()) {
      if (subscriptions.has(subject) || isCovered(subject)) continue
      const callback: Parameters<typeof opened.subscribe>[1] = {
        callback(_error, message) {
          const { last, broadcasts } = message.json<{ last: number; broadcasts: Broadcast[] }>()
          parts.set(`${last} ${message.subject.slice(prefix.length + 1)}`, broadcasts)
        },
      }
      subscriptions.set(subject, opened.subscribe(`${prefix}.${subject}`, callback))
    }
  }

  function endBatch({ after, last, subjects }: BatchEnd): void {
    const found = subjects?.map((subject) => {
      const isWanted = wanted.has(subject) || (wanted.has(ALL_CUSTOMERS) && subject.startsWith('customer.'))
      return parts.get(`${last} ${subject}`) ?? (isWanted ? null : [])
    })
    for (const key of parts.keys()) if (Number.parseInt(key, 10) <= last) parts.delete(key)
    const isComplete = found?.every((some) => some !== null) ?? false
    receive({ after, last }, isComplete ? (found ?? []).flatMap((some) => some ?? []).toSorted(bySeq) : null)
  }

  async function send(opened: NatsConnection, { after, last }: Published): Promise<void> {
    let subjects: string[] | null = null
    try {
      if (last - after <= CATCH_UP_LIMIT) {
        const broadcasts = await readPublished(db, { after, limit: last - after })
        const bySubject = Map.groupBy(broadcasts, subjectOf)
        for (const [subject, some] of bySubject)
          opened.publish(`${prefix}.${subject}`, JSON.stringify({ last, broadcasts: some }))
        subjects = [...bySubject.keys()]
      }
    } catch (error) {
      // Such as messages that are longer than the server allows.
      log.debug({ err: error }, 'a batch of live messages is left to the table')
    }
    opened.publish(`${prefix}.batch`, JSON.stringify({ after, last, subjects } satisfies BatchEnd))
  }
}

function optionsOf(url: string) {
  const { protocol, host, username, password } = new URL(url)
  const user = decodeURIComponent(username)
  return {
    servers: host,
    name: 'benchwatch',
    ignoreAuthErrorAbort: true,
    ...(protocol === 'tls:' && { tls: {} }),
    ...(password !== '' ? { user, pass: decodeURIComponent(password) } : user !== '' && { token: user }),
  }
}

function subjectOf({ customerId, userId }: Broadcast): string {
  return userId === null ? `customer.${customerId}` : `user.${userId}`
}

function bySeq(a: Broadcast, b: Broadcast): number {
  return a.seq - b.seq
}
