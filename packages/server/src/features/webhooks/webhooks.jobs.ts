import type { WebhookDeliveryState } from '@benchwatch/contract/vocabulary'
import { Webhook as Signer } from 'standardwebhooks'
import { holds } from '../../db/actor.ts'
import { enqueueJob, type JobHandler } from '../../db/queues/jobs.ts'
import type { LeaderTask } from '../../db/queues/leader.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Signal } from '../../platform/concurrency.ts'
import type { FeatureContext } from '../context.ts'
import { findPerson } from '../users/users.lookup.ts'
import { bodyToSend, decideDeliveries, SEND_WEBHOOKS_JOB } from './deciding.service.ts'
import {
  type DueDelivery,
  deleteOldDeliveries,
  hasDueDelivery,
  noteAttempt,
  parkDeliveries,
  readDueDelivery,
  withdrawDelivery,
} from './deliveries.store.ts'
import { withRoutingKey } from './formats.ts'
import { blockList, post } from './post.ts'
import {
  lockWebhook,
  noteReceiver,
  type ReceiverState,
  releaseWebhook,
  type TakenWebhook,
  takeWebhook,
  type WebhookSecrets,
} from './webhooks.store.ts'

type Sending = Pick<FeatureContext, 'db' | 'clock' | 'config' | 'log'>

/** Webhooks that one process sends from at a time, and with those whose receivers are slow. */
const LANES = 4
const MOST_LANES = 50
/** Time after which a receiver counts as slow. */
const SLOW_MS = 500
/** Limit of a request. */
const TIMEOUT_MS = 10_000
/** Longer than a request takes, so that no other process sends in the meantime. */
const LEASE_MS = 60_000
const DAY_MS = 86_400_000
/** Deliveries that are deleted at once, and batches of one run, which a stop of the server waits for. */
const BATCH = 2000
const MOST_BATCHES = 100

/**
 * Job that sends whatever is due. It is only a trigger: lost or repeated jobs do no harm. Jobs that come while one is
 * running fill its free lanes and end at once, so receivers that hang occupy one slot of the process, never the one for
 * e-mails. A lane whose receiver is slow lets another one start, so it delays no other receiver.
 */
export function webhookJobs(sending: Sending): JobHandler[] {
  const lanes = new Set<Promise<void>>()
  let working = 0
  let lookAgain = false
  let isAwaited = false

  const startLanes = (stop: AbortSignal) => {
    while (working < LANES && lanes.size < MOST_LANES) {
      const lane: Promise<void> = work(stop)
        .catch((error: unknown) => sending.log.warn({ err: error }, 'webhooks could not be sent; they are tried again'))
        .finally(() => lanes.delete(lane))
      lanes.add(lane)
    }
  }
  const work = async (stop: AbortSignal) => {
    working += 1
    try {
      while (!stop.aborted && working <= LANES) {
        lookAgain = false
        const hasSent = await sendNext(sending, (attempt) => besideOthers(attempt, stop))
        if (!hasSent && !lookAgain) return
      }
    } finally {
      working -= 1
    }
  }
  const besideOthers = async (attempt: Promise<void>, stop: AbortSignal) => {
    let isSlow = false
    const timer = setTimeout(() => {
      isSlow = true
      working -= 1
      startLanes(stop)
    }, SLOW_MS)
    try {
      await attempt
    } finally {
      clearTimeout(timer)
      if (isSlow) working += 1
    }
  }
  const run = async (_payload: unknown, stop: AbortSignal) => {
    lookAgain = true
    startLanes(stop)
    if (isAwaited) return
    isAwaited = true
    while (lanes.size > 0) await Promise.race(lanes)
    isAwaited = false
  }
  return [{ name: SEND_WEBHOOKS_JOB, run }]
}

/** Scheduled tasks of the leader. `published` rings when live messages were published. */
export function webhookTasks(sending: Sending, published: Signal): LeaderTask[] {
  const { db, clock, config, log } = sending
  return [
    {
      name: 'decide what webhooks send',
      everyMs: 1000,
      restMs: 50,
      wake: published,
      run: () => decideDeliveries(sending),
    },
    {
      name: 'enqueue due webhooks',
      everyMs: 5000,
      async run() {
        if (!(await hasDueDelivery(db, clock.now()))) return
        await enqueueJob(db, { name: SEND_WEBHOOKS_JOB, payload: {} }, { key: 'due webhooks' })
      },
    },
    {
      name: 'park overdue webhooks',
      everyMs: 60_000,
      async run() {
        const count = await parkDeliveries(db, { at: clock.now(), overdue: true })
        if (count > 0) log.error({ count }, 'deliveries of webhooks parked that could not be sent in time')
      },
    },
    {
      name: 'delete old deliveries of webhooks',
      everyMs: 6 * 3_600_000,
      async run() {
        const before = new Date(clock.now().getTime() - config.webhooks.logDays * DAY_MS)
        for (let batch = 0; batch < MOST_BATCHES; batch += 1)
          if ((await deleteOldDeliveries(db, { before, batch: BATCH })) < BATCH) break
      },
    },
  ]
}

/** Sends one delivery. Returns false if none is due. */
async function sendNext(sending: Sending, wait: (attempt: Promise<void>) => Promise<void>): Promise<boolean> {
  const at = sending.clock.now()
  const webhook = await takeWebhook(sending.db, { at, busyUntil: new Date(at.getTime() + LEASE_MS) })
  if (!webhook) return false
  try {
    const delivery = await readDueDelivery(sending.db, { webhookId: webhook.id, at })
    if (delivery) await wait(send(sending, { webhook, delivery }))
  } finally {
    await releaseWebhook(sending.db, webhook)
  }
  return true
}

interface Sent {
  webhook: TakenWebhook
  delivery: DueDelivery
}

/** Sends a delivery unless its owner may no longer see what it is about. */
async function send(sending: Sending, { webhook, delivery: due }: Sent): Promise<void> {
  const { db, clock, config, log } = sending
  const owner = await findPerson(db, webhook.ownerId)
  const isVisible = owner && (due.customerId === null || holds(owner.scope, due.customerId))
  const body = isVisible
    ? await bodyToSend(db, { webhook, delivery: due, scope: owner.scope, publicUrl: config.publicUrl })
    : null
  if (body === null) {
    await withdrawDelivery(db, { id: due.id, at: clock.now() })
    return
  }
  const delivery = { ...due, body }
  const startedAt = clock.now()
  const begun = performance.now()
  const outcome = await post({
    ...signed({ webhook, delivery }, startedAt),
    url: webhook.secrets.url,
    allowed: blockList(config.webhooks.networks),
    timeoutMs: TIMEOUT_MS,
  })
  const at = clock.now()
  const attempt = { ...outcome, at: startedAt.toISOString(), milliseconds: Math.round(performance.now() - begun) }
  const state = await inTransaction(db, async (trx) => {
    const present = await lockWebhook(trx, webhook.id)
    // It was deleted with its deliveries.
    if (!present) return null
    const verdict = verdictOf(
      {
        ...delivery,
        outcome,
        isTest: delivery.occasion === 'test',
        failures: present.failures,
        isMoved: !isSameReceiver(present.secrets, webhook.secrets),
      },
      at,
    )
    await noteAttempt(trx, { ...delivery, ...verdict, attempt, at })
    if (verdict.receiver) await noteReceiver(trx, { id: webhook.id, state: verdict.receiver, at })
    if (verdict.receiver?.isGone) await parkDeliveries(trx, { at, webhookId: webhook.id })
    return verdict.state
  })
  if (state === 'parked')
    log.warn(
      { webhook: webhook.id, delivery: delivery.id, status: outcome.status },
      'a delivery of a webhook was parked',
    )
}

function isSameReceiver(one: WebhookSecrets, other: WebhookSecrets): boolean {
  return one.url === other.url && one.routingKey === other.routingKey
}

/** Returns the body with its signatures: one by the secret, and one by the secret before while it counts. */
function signed({ webhook, delivery }: Sent, at: Date) {
  const { routingKey, secret, previousSecret } = webhook.secrets
  const body = withRoutingKey(delivery.body, routingKey)
  const isPreviousValid = webhook.previousSecretUntil !== null && webhook.previousSecretUntil > at
  const secrets = previousSecret !== null && isPreviousValid ? [secret, previousSecret] : [secret]
  return {
    body,
    headers: {
      'user-agent': 'Benchwatch-Webhooks',
      'webhook-id': delivery.messageId,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': secrets.map((one) => new Signer(one).sign(delivery.messageId, at, body)).join(' '),
    },
  }
}

// These rules say when an attempt is repeated, and when a receiver is left alone. Pure.

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
interface Verdict {
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
