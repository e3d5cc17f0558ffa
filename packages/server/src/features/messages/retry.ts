import type { DeliveryFailure } from '../../platform/messages/delivery-error.ts'

/** A transport that can't be reached is asked again soon: what waits behind it should leave once it is back. */
const UNREACHABLE_MS = 30_000
/** A message that is wanted later: 1, 2, 4 … 60 minutes; mail servers that keep strangers waiting want about five. */
const FIRST_MS = 60_000
const LONGEST_MS = 3_600_000

interface Failed {
  failure: DeliveryFailure
  /** Attempts so far, this one included. */
  attempts: number
  giveUpAt: Date
}

/** When a message whose attempt failed is tried again; null when it is given up. */
export function retryTime({ failure, attempts, giveUpAt }: Failed, at: Date): Date | null {
  if (failure === 'refused') return null
  const wait = failure === 'unreachable' ? UNREACHABLE_MS : Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempts - 1))
  const next = new Date(at.getTime() + wait)
  return next > giveUpAt ? null : next
}
