import { ingestLimits } from '@benchwatch/contract/ingest'
import type { Delivery } from './delivery.ts'
import type { Batch, Outbox } from './outbox.ts'
import type { Lane } from './report.ts'

const FIRST_MS = 500

const LONGEST_MS = 30_000

/** The part of a logger that the sender uses; pino fits. */
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
  /** Waits until the time is over or the signal aborts; tests pass their own. */
  pause?: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

export interface Sender {
  /** Retries at once what waits for its next attempt. */
  wake(): void
  /** Stops sending. A request in flight has two seconds to finish; otherwise the next process sends the batch again. */
  stop(): Promise<void>
}

/** Pause after a refused key, which an operator has to replace. */
const REFUSED_PAUSE_MS = 60_000
/** Time for an in-flight request to finish when the program ends. */
const LAST_REQUEST_MS = 2_000

/**
 * Sends the items of some lanes of an outbox, oldest first, until stopped. An item leaves the outbox only after the
 * server has answered for it, so it may arrive twice but never gets lost.
 *
 * A gateway runs two senders: one for alarms and statuses, one for logs. A backlog of logs, or a log request that
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
    // Created before the outbox is read, so that items added in the meantime end the next pause.
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
    // Created again: items added during the request are no reason to retry at once.
    waking = new AbortController()
    await sleep(milliseconds)
    isBackingOff = false
  }

  /** Handles the outcome of a request; returns how long to wait afterwards. */
  async function settle(batch: Batch, delivery: Delivery): Promise<number> {
    logOutcome(delivery)
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
        if (delivery.isSlow) itemLimit = Math.ceil(batch.items.length / 2)
        return retryDelay(attempt++)
    }
  }

  /** Halves the batch until it finds the item that the server can't process, and drops that item. */
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
      `An item can't be delivered and was dropped. ${reason}`,
    )
    await outbox.remove(batch)
    itemLimit = ingestLimits.items
    return 0
  }

  /** Logs one line when a failure begins or changes, and one when it is over. */
  function logOutcome(delivery: Delivery): void {
    const now =
      delivery.kind === 'refused' || delivery.kind === 'busy' || delivery.kind === 'failed' ? delivery.kind : null
    if (now === trouble) return
    if (delivery.kind === 'refused') log.error({ lanes }, delivery.reason)
    else if (delivery.kind === 'busy' || delivery.kind === 'failed')
      log.warn({ lanes }, `Nothing can be delivered at the moment; new items are kept. ${delivery.reason}`)
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
    // With Infinity, only the signal ends the wait.
    const timer = Number.isFinite(milliseconds) ? setTimeout(resolve, milliseconds) : undefined
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/**
 * Returns the milliseconds before the next attempt by the number of failed ones: doubling from 0.5 s to 30 s. Half of
 * it is random, so that the gateways of a recovered server don't all retry at the same moment.
 */
export function retryDelay(failed: number, random: () => number = Math.random): number {
  const full = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failed, 20))
  return full / 2 + (full / 2) * random()
}
