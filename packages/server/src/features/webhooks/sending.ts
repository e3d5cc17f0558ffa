import type { WebhookDeliveryState } from '@benchwatch/contract/vocabulary'
import type { ReceiverState } from './webhooks.store.ts'

/** Rules of sending: when an attempt is repeated, and when a receiver is left alone. Pure. */

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** Waits after the first, second … attempt; together just below a day. */
const RETRY_MS = [
  5000,
  MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
  8 * HOUR_MS,
  8 * HOUR_MS,
]

/** Failures in a row after which a receiver is left alone, for one minute first, then twice as long each time. */
const FAILURES_IN_A_ROW = 5
const LONGEST_PAUSE_MS = HOUR_MS

/** Returns the time of the next attempt, or null to give up. `tries` includes the failed attempt. */
export function retryAt({ tries, giveUpAt }: { tries: number; giveUpAt: Date }, at: Date): Date | null {
  const wait = RETRY_MS[tries - 1]
  if (wait === undefined) return null
  const next = new Date(at.getTime() + wait)
  return next > giveUpAt ? null : next
}

/** Returns when a receiver with this many failures in a row may be tried again; null for at once. */
export function openUntil(failures: number, at: Date): Date | null {
  if (failures < FAILURES_IN_A_ROW) return null
  return new Date(at.getTime() + Math.min(LONGEST_PAUSE_MS, MINUTE_MS * 2 ** (failures - FAILURES_IN_A_ROW)))
}

/** State of a delivery and its receiver after an attempt. */
export interface Verdict {
  state: WebhookDeliveryState
  nextAt: Date | null
  /** Null if the attempt says nothing about the webhook's receiver. */
  receiver: ReceiverState | null
}

/**
 * `outcome.error` is null if the attempt succeeded. A test says nothing about the receiver but that it answered.
 * `isMoved`: the webhook has got another receiver since the attempt began, which is tried at once.
 */
export function verdictOf(
  {
    outcome,
    isTest,
    tries,
    giveUpAt,
    failures,
    isMoved,
  }: {
    outcome: { status: number | null; error: string | null }
    isTest: boolean
    tries: number
    giveUpAt: Date
    failures: number
    isMoved: boolean
  },
  at: Date,
): Verdict {
  if (isMoved) {
    if (outcome.error === null) return { state: 'sent', nextAt: null, receiver: null }
    return isTest ? { state: 'parked', nextAt: null, receiver: null } : { state: 'waiting', nextAt: at, receiver: null }
  }
  if (outcome.error === null)
    return { state: 'sent', nextAt: null, receiver: { failures: 0, openUntil: null, isGone: false, hasSent: true } }
  const isGone = outcome.status === 410
  const failed = isTest ? failures : failures + 1
  const nextAt = isTest || isGone ? null : retryAt({ tries: tries + 1, giveUpAt }, at)
  return {
    state: nextAt === null ? 'parked' : 'waiting',
    nextAt,
    receiver: { failures: failed, openUntil: openUntil(failed, at), isGone, hasSent: false },
  }
}
