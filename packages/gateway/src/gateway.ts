import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { IngestItemInput } from '@benchwatch/contract/ingest'
import type { Logger } from 'pino'
import type { GatewayKey } from './config.ts'
import { type Delivery, deliver } from './delivery.ts'
import type { GatewayLink } from './links.ts'
import { Outbox } from './outbox.ts'
import { itemText, Line, withKnownParts } from './report.ts'
import { type GatewaySource, oldStatuses, removedSources, runSource } from './run-source.ts'
import { retryDelay, type Sender, startSender } from './sender.ts'

/** The server considers a gateway lost after three missed heartbeats (specification: Edge Issue). */
const HEARTBEAT_MS = 30_000

/** Names of unmatched messages in one heartbeat, of all sources together. */
const MOST_NAMES = 200

type HeartbeatData = Extract<IngestItemInput, { type: 'benchwatch.heartbeat' }>['data']

interface HeartbeatInput {
  name: string
  outbox: Pick<Outbox, 'epoch' | 'takeSequence' | 'beginEpoch'>
  send: (items: readonly string[], signal: AbortSignal) => Promise<Delivery>
  /** Called when the first heartbeat has arrived. */
  onArrival: () => void
  /** Called when a heartbeat arrives after one that failed. */
  onRecovery: () => void
  /** Called with each answer, with the optional parts of items that the server accepts. */
  onKnown: (knows: readonly string[]) => void
  dataOf: () => HeartbeatData
  log: Logger
}

export interface GatewayOptions {
  gateway: GatewayKey
  serverUrl: string
  /** Directory that contains all outboxes. */
  outboxDir: string
  outboxMaxBytes: number
  sources: readonly GatewaySource[]
  log: Logger
}

export interface RunningGateway {
  stop(): Promise<void>
}

const REQUEST_TIMEOUT_MS = 20_000

/** Starts one gateway: sources → outbox → server, with heartbeats sent separately. */
export async function startGateway(options: GatewayOptions): Promise<RunningGateway> {
  const { name, key } = options.gateway
  const log = options.log.child({ gateway: name })
  const version = await readRelease()
  const outbox = await Outbox.open({
    directory: join(options.outboxDir, name),
    gateway: name,
    maxBytes: options.outboxMaxBytes,
  })
  const to = { serverUrl: options.serverUrl, gateway: name, key, timeoutMs: REQUEST_TIMEOUT_MS }
  const line = new Line()
  /** Null until the server has answered a first heartbeat. Kept for starts while the server is away. */
  let known: ReadonlySet<string> | null = knownOf(outbox.notes.get(KNOWN_NOTE))
  // The outbox keeps all parts whatever the server knows: it may be newer by the time they are sent.
  const send = (items: readonly string[], signal: AbortSignal) =>
    line.carry((carried) => {
      const knows = known
      return deliver(to, knows ? items.map((item) => withKnownParts(item, knows)) : items, carried)
    }, signal)
  // Nothing is sent before a heartbeat has arrived, because its answer says whether the server has seen these ids.
  const senders: Sender[] = []
  const wakeAll = () => {
    for (const sender of senders) sender.wake()
  }
  const statuses = oldStatuses(outbox.notes)
  let heart: ReturnType<typeof startHeartbeat> | null = null
  // The feed page should show a change before the next regular heartbeat. The first one follows the start of the sources.
  const beatSoon = () => {
    if (known?.has('links')) heart?.beat()
  }
  const sources = [...options.sources, ...removedSources(outbox.notes.keys(), options.sources)]
  const running = sources.map((source) =>
    runSource(source, {
      gateway: name,
      outbox,
      certificates: join(options.outboxDir, 'pki'),
      line,
      log,
      knows: () => known ?? new Set(),
      onLinkChange: beatSoon,
      statuses,
    }),
  )
  heart = startHeartbeat({
    name,
    outbox,
    send,
    onArrival: () =>
      senders.push(
        startSender({ outbox, lanes: ['alarms', 'statuses'], deliver: send, log }),
        startSender({ outbox, lanes: ['logs'], deliver: send, log }),
      ),
    onRecovery: wakeAll,
    onKnown: (knows) => {
      const isNew = !known?.has('links')
      if (knows.join() !== [...(known ?? [])].join())
        outbox
          .keep({ name: KNOWN_NOTE, value: knows.join() })
          .catch((error: unknown) =>
            log.warn({ err: error }, 'The outbox is not writable. Check that its disk is not full.'),
          )
      known = new Set(knows)
      if (isNew && (known.has('sources') || running.some((source) => source.links().length > 0))) beatSoon()
    },
    // An older server would park a heartbeat that contains links.
    dataOf: () => {
      const links = running.flatMap((source) => source.links())
      return {
        ...(known?.has('links') && links.length > 0 && { links: withFewerNames(links.slice(0, 100)) }),
        ...(known?.has('sources') && { version, backlog: outbox.pending }),
      }
    },
    log,
  })
  return {
    async stop() {
      // Sources first: what they acknowledge while they stop must be on disk.
      await Promise.all(running.map((source) => source.stop()))
      await heart?.stop()
      await Promise.all(senders.map((sender) => sender.stop()))
      await outbox.close()
    },
  }
}

const KNOWN_NOTE = 'server/knows'

function knownOf(note: string | undefined): ReadonlySet<string> | null {
  return note === undefined ? null : new Set(note.split(',').filter(Boolean))
}

/** Distributes the names that fit into a heartbeat among its links. */
function withFewerNames(links: GatewayLink[]): GatewayLink[] {
  const tellers = links.filter(({ unmatchedNames = [] }) => unmatchedNames.length > 0).length
  const share = Math.max(1, Math.floor(MOST_NAMES / Math.max(1, tellers)))
  return links.map((link) => ({
    ...link,
    ...(link.unmatchedNames && { unmatchedNames: link.unmatchedNames.slice(0, share) }),
  }))
}

/** Returns the release of this program, such as 3.0.0. */
async function readRelease(): Promise<string> {
  const manifest = await readFile(new URL('../package.json', import.meta.url), 'utf8')
  return (JSON.parse(manifest) as { version: string }).version
}

/**
 * Sends a heartbeat now and every 30 seconds until stopped; the first one is retried sooner. Heartbeats are never
 * stored, because a late one has no value. Since each is sent once, one that the server already has shows that the
 * outbox uses ids for the second time.
 */
export function startHeartbeat({ name, outbox, send, onArrival, onRecovery, onKnown, dataOf, log }: HeartbeatInput): {
  /** Sends one now, or as soon as the one in flight is answered. */
  beat(): void
  stop(): Promise<void>
} {
  const stopping = new AbortController()
  /** True if the previous heartbeat arrived; null before the first. */
  let hadArrived: boolean | null = null
  let isFirst = true
  let attempt = 0
  let retry: NodeJS.Timeout | undefined
  let last: Promise<void> = Promise.resolve()
  async function beat(): Promise<void> {
    const sequence = await outbox.takeSequence()
    const item = itemText(
      { gateway: name, epoch: outbox.epoch, sequence },
      { type: 'benchwatch.heartbeat', subject: name, time: new Date(), data: dataOf() },
    )
    const delivery = await send([item], stopping.signal)
    const hasArrived = delivery.kind === 'stored'
    if (delivery.kind === 'stored') {
      if (delivery.answer.duplicates > 0) await takeNewIds()
      onKnown(delivery.answer.knows ?? [])
      if (isFirst) onArrival()
      isFirst = false
    }
    if (hasArrived && hadArrived === false) onRecovery()
    if (hasArrived && hadArrived === null) log.info('The server accepts this gateway and its reports.')
    // The senders log the same for what they send. When there is nothing to send, only the heartbeat notices a wrong
    // key or address.
    if ('reason' in delivery && hadArrived !== false && !stopping.signal.aborted) {
      if (delivery.kind === 'refused') log.error(delivery.reason)
      else log.warn(`Heartbeats do not reach the server at the moment. ${delivery.reason}`)
    }
    hadArrived = hasArrived
    clearTimeout(retry)
    if (isFirst && !stopping.signal.aborted) retry = setTimeout(next, retryDelay(attempt++))
  }
  async function takeNewIds(): Promise<void> {
    await outbox.beginEpoch()
    log.warn(
      'The server already has items with the next ids of this outbox, so new items get other ids. The outbox was restored from an older copy, or another gateway uses a copy of it: give each gateway a name, key and outbox of its own.',
    )
  }
  let isQueued = false
  const next = () => {
    if (isQueued) return
    isQueued = true
    // On a full disk, taking a sequence number fails. An uncaught rejection would end the process while it still
    // sends.
    last = last
      .then(() => {
        isQueued = false
        return beat()
      })
      .catch((error: unknown) => {
        log.error(
          { err: error },
          'A heartbeat could not be sent, because the outbox is not writable. Check that its disk is not full.',
        )
      })
  }
  next()
  const timer = setInterval(next, HEARTBEAT_MS)
  return {
    beat: next,
    async stop() {
      clearInterval(timer)
      clearTimeout(retry)
      stopping.abort()
      await last
    },
  }
}
