import { ingestLimits } from '@benchwatch/contract/ingest'
import type { Delivery } from './delivery.ts'
import type { Batch, Outbox } from './outbox.ts'
import type { Lane } from './report.ts'

const FIRST_MS = 500

const LONGEST_MS = 30_000

/** The sender's view of the program's log; pino fits. */
export interface SenderLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export interface SenderOptions {
  outbox: Outbox
  lanes: readonly Lane[]
  deliver: (items: readonly string[], signal: AbortSignal) => Promise<Delivery>
  log: SenderLog
  /** Waits, at most until the signal; tests pass their own. */
  pause?: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

export interface Sender {
  /** Tries at once what waits for its next try. */
  wake(): void
  /** Ends it; a request under way may still end within two seconds, else the next process sends the batch again. */
  stop(): Promise<void>
}

/** How long a refused key is left alone: somebody has to do something about it. */
const REFUSED_PAUSE_MS = 60_000
/** How long a request that is under way may still take when the program ends. */
const LAST_REQUEST_MS = 2_000

/**
 * Sends what waits in some lanes of an outbox, oldest first, for as long as it runs. An item leaves the outbox only
 * when the server has answered for it, so it may arrive twice and never not at all.
 *
 * A gateway runs two: one for alarms and statuses and one for logs. A backlog of logs, or one request with logs that
 * hangs, therefore never delays an alarm.
 */
export function startSender({ outbox, lanes, deliver, log, pause = pauseFor }: SenderOptions): Sender {
  const stopping = new AbortController()
  const givingUp = new AbortController()
  let waking = new AbortController()
  let itemLimit: number = ingestLimits.items
  let attempt = 0
  let trouble: Delivery['kind'] | null = null
  let isBackingOff = false
  const stopListening = outbox.onAppend((lane) => {
    if (!isBackingOff && lanes.includes(lane)) waking.abort()
  })

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await sendOnce()
      } catch (error) {
        log.error({ err: error, lanes }, "The outbox can't be read or written. Check that its disk is not full.")
        await backOff(retryDelay(attempt++))
      }
    }
  }

  async function sendOnce(): Promise<void> {
    // From before the outbox is read: what comes in meanwhile must not be slept over.
    waking = new AbortController()
    const batch = await outbox.read(lanes, { items: itemLimit, bytes: ingestLimits.sentBytes - 1 })
    if (batch.items.length === 0) {
      await sleep(Number.POSITIVE_INFINITY)
      return
    }
    const delivery = await deliver(batch.items, givingUp.signal)
    if (stopping.signal.aborted && delivery.kind !== 'stored') return
    const wait = await settle(batch, delivery)
    if (wait > 0) await backOff(wait)
  }

  async function backOff(milliseconds: number): Promise<void> {
    isBackingOff = true
    // A new one: what came in while the request was under way is no reason to ask again at once.
    waking = new AbortController()
    await sleep(milliseconds)
    isBackingOff = false
  }

  /** Does what the outcome asks for; answers for how long to wait then. */
  async function settle(batch: Batch, delivery: Delivery): Promise<number> {
    tell(delivery)
    switch (delivery.kind) {
      case 'stored':
        await outbox.remove(batch)
        for (const { id, code, reason } of delivery.answer.rejected)
          log.warn({ id, code }, `The server has parked an item: ${reason}`)
        attempt = 0
        itemLimit = Math.min(ingestLimits.items, itemLimit * 2)
        return 0
      case 'too large':
      case 'not understood':
        return await narrow(batch, delivery)
      case 'refused':
        outbox.giveBack(batch)
        return REFUSED_PAUSE_MS
      case 'busy':
        outbox.giveBack(batch)
        return delivery.afterMs ?? retryDelay(attempt++)
      case 'failed':
        outbox.giveBack(batch)
        return retryDelay(attempt++)
    }
  }

  /** Halves the batch until the item is found that the server can't take; that one is given up. */
  async function narrow(batch: Batch, delivery: Delivery): Promise<number> {
    const [only] = batch.items
    if (batch.items.length > 1) {
      outbox.giveBack(batch)
      itemLimit = Math.floor(batch.items.length / 2)
      return 0
    }
    const reason = delivery.kind === 'not understood' ? delivery.reason : 'It is too large.'
    log.error(
      { item: only?.slice(0, 2_000), bytes: only?.length },
      `An item can't be delivered and is given up. ${reason}`,
    )
    await outbox.remove(batch)
    itemLimit = ingestLimits.items
    return 0
  }

  /** One line when trouble begins or changes, one when it is over. */
  function tell(delivery: Delivery): void {
    const now =
      delivery.kind === 'refused' || delivery.kind === 'busy' || delivery.kind === 'failed' ? delivery.kind : null
    if (now === trouble) return
    if (delivery.kind === 'refused') log.error({ lanes }, delivery.reason)
    else if (delivery.kind === 'busy' || delivery.kind === 'failed')
      log.warn({ lanes }, `Nothing can be delivered for the moment; what comes in is kept. ${delivery.reason}`)
    else if (trouble !== null) log.info({ lanes }, 'Delivering again.')
    trouble = now
  }

  async function sleep(milliseconds: number): Promise<void> {
    await pause(milliseconds, AbortSignal.any([stopping.signal, waking.signal]))
  }

  const running = run()
  return {
    wake: () => waking.abort(),
    async stop() {
      stopListening()
      stopping.abort()
      const timer = setTimeout(() => givingUp.abort(), LAST_REQUEST_MS)
      await running
      clearTimeout(timer)
    },
  }
}

function pauseFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve()
      return
    }
    // Infinity: until somebody wakes it.
    const timer = Number.isFinite(milliseconds) ? setTimeout(resolve, milliseconds) : undefined
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/**
 * Milliseconds before the next try, by the number of tries that failed: doubling from 0.5 s to 30 s. Half of it is
 * drawn by lot: when a server comes back, its gateways do not all ask in the same moment.
 */
export function retryDelay(failed: number, random: () => number = Math.random): number {
  const full = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failed, 20))
  return full / 2 + (full / 2) * random()
}
