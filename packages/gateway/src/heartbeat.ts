import type { Logger } from 'pino'
import type { Delivery } from './delivery.ts'
import { itemText } from './item.ts'
import type { Outbox } from './outbox.ts'

/** The server calls a gateway lost after three missed ones (specification: Edge Issue). */
const HEARTBEAT_MS = 30_000

interface Heart {
  /** Name of the gateway. */
  name: string
  outbox: Pick<Outbox, 'epoch' | 'takeSequence'>
  send: (items: readonly string[], signal: AbortSignal) => Promise<Delivery>
  /** A heartbeat has arrived after one that had not. */
  onRecovery: () => void
  log: Logger
}

/** Sends a heartbeat now and every half minute until stopped. They are never stored: a late one says nothing. */
export function startHeartbeat({ name, outbox, send, onRecovery, log }: Heart): { stop(): Promise<void> } {
  const stopping = new AbortController()
  /** Whether the one before arrived; null before the first. */
  let hadArrived: boolean | null = null
  let last: Promise<void> = Promise.resolve()
  async function beat(): Promise<void> {
    const sequence = await outbox.takeSequence()
    const item = itemText(
      { gateway: name, epoch: outbox.epoch, sequence },
      { type: 'benchwatch.heartbeat', subject: name, time: new Date(), data: {} },
    )
    const delivery = await send([item], stopping.signal)
    const hasArrived = delivery.kind === 'stored'
    if (hasArrived && hadArrived === false) onRecovery()
    if (hasArrived && hadArrived === null) log.info('The server knows this gateway and takes what it reports.')
    // The senders tell the same of what they send. With nothing to send, nobody else tells of a wrong key or address.
    if ('reason' in delivery && hadArrived !== false && !stopping.signal.aborted) {
      if (delivery.kind === 'refused') log.error(delivery.reason)
      else log.warn(`Signs of life do not get through for the moment. ${delivery.reason}`)
    }
    hadArrived = hasArrived
  }
  const next = () => {
    // On a full disk no number can be taken; what nobody catches would end the process, and with it what is still sent.
    last = beat().catch((error: unknown) => {
      log.error({ err: error }, 'A sign of life could not be counted in the outbox. Check that its disk is not full.')
    })
  }
  next()
  const timer = setInterval(next, HEARTBEAT_MS)
  return {
    async stop() {
      clearInterval(timer)
      stopping.abort()
      await last
    },
  }
}
