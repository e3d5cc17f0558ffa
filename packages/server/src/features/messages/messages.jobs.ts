import { enqueueJob, type JobHandler } from '../../db/queues/jobs.ts'
import type { LeaderTask } from '../../db/queues/leader.ts'
import { coalesce } from '../../platform/concurrency.ts'
import { DeliveryError, type DeliveryFailure } from '../../platform/messages/transports.ts'
import type { FeatureContext } from '../context.ts'
import type { DeliveryHooks } from '../outgoing-messages.ts'
import type { Transports } from './message-transports.ts'
import { SEND_MESSAGES_JOB } from './messages.service.ts'
import {
  automaticHeaders,
  type Channel,
  deleteOldMessages,
  giveUpOverdue,
  hasDueMessage,
  keepTaken,
  markFailed,
  markSent,
  messageIdOf,
  type StoredMessage,
  takeDueMessage,
} from './messages.store.ts'

/** Short delay for an unreachable transport, so that queued messages leave as soon as it is back. */
const UNREACHABLE_MS = 30_000

/** First delay of deferred messages: 1, 2, 4 … 60 minutes. Greylisting mail servers want about five minutes. */
const FIRST_MS = 60_000

const LONGEST_MS = 3_600_000

interface Failed {
  failure: DeliveryFailure
  /** Number of attempts, including this one. */
  attempts: number
  giveUpAt: Date
}

interface Sending extends Pick<FeatureContext, 'db' | 'clock' | 'config' | 'log'> {
  transports: Transports
  hooks: readonly DeliveryHooks[]
  /** Milliseconds between two renewals of a message's lease. */
  keepMs?: number
}

/** Messages that one process sends in parallel per channel; equals the number of connections of its mailer. */
const LANES = 4
/** Time that invitations, codes and the like are kept; messages about an event are kept as long as the event. */
const KEPT_DAYS = 90
/** Messages that are checked at once, and batches of one run, which a stop of the server waits for. */
const BATCH = 2000
const MOST_BATCHES = 100
/** A fraction of the lease, so that several renewals may fail. */
const KEEP_MS = 30_000

/**
 * Job that sends all due messages, including those that other processes wrote. It is only a trigger: lost or repeated
 * jobs do no harm.
 */
export function messageJobs(sending: Sending): JobHandler[] {
  const senders = { email: senderOf(sending, 'email'), sms: senderOf(sending, 'sms') }
  return [
    {
      name: SEND_MESSAGES_JOB,
      async run(_payload, stop) {
        await Promise.all(openChannels(sending.transports).map((channel) => senders[channel](stop)))
      },
    },
  ]
}

/**
 * Returns the sender of one channel. Separate senders keep a slow mail server from delaying text messages, and vice
 * versa. Jobs that come while it is sending fill its free lanes and end at once, so one slow message delays no other,
 * and the channel occupies one slot of the process.
 */
function senderOf(sending: Sending, channel: Channel): (stop: AbortSignal) => Promise<void> {
  const sendAll = coalesce((stop) => sendInTurn(sending, { channel, stop }), LANES)
  const lanes = new Set<Promise<void>>()
  let isAwaited = false
  return async (stop) => {
    for (let started = 0; started < LANES; started += 1) {
      const lane: Promise<void> = sendAll(stop)
        .catch((error: unknown) => sending.log.warn({ err: error, channel }, 'messages could not be sent'))
        .finally(() => lanes.delete(lane))
      lanes.add(lane)
    }
    if (isAwaited) return
    isAwaited = true
    while (lanes.size > 0) await Promise.race(lanes)
    isAwaited = false
  }
}

/**
 * Scheduled tasks of the leader. They trigger sending of due messages: retries, messages of a process that died,
 * messages that waited for a transport to be configured, and those of a restored backup.
 */
export function messageTasks(sending: Sending): LeaderTask[] {
  const { db, clock, log, transports } = sending
  let checked = 0
  return [
    {
      name: 'delete old messages about no event',
      everyMs: 6 * 3_600_000,
      async run() {
        const before = new Date(clock.now().getTime() - KEPT_DAYS * 86_400_000)
        for (let batch = 0; batch < MOST_BATCHES; batch += 1) {
          const last = await deleteOldMessages(db, { before, after: checked, batch: BATCH })
          if (last === null) break
          checked = last
        }
      },
    },
    {
      name: 'give up overdue messages',
      everyMs: 60_000,
      async run() {
        const count = await giveUpOverdue(db, clock.now())
        if (count > 0) log.error({ count }, 'messages given up that could not be sent in time')
      },
    },
    {
      name: 'enqueue due messages',
      everyMs: 10_000,
      async run() {
        const channels = openChannels(transports)
        if (channels.length === 0 || !(await hasDueMessage(db, { channels, at: clock.now() }))) return
        await enqueueJob(db, { name: SEND_MESSAGES_JOB, payload: {} }, { key: 'due messages' })
      },
    },
  ]
}

function openChannels({ mailer, smsSender }: Transports): Channel[] {
  return [...(mailer ? ['email' as const] : []), ...(smsSender ? ['sms' as const] : [])]
}

/** Sends one message after another until none is due. Leaves an unreachable transport alone until the next job. */
async function sendInTurn(sending: Sending, { channel, stop }: { channel: Channel; stop: AbortSignal }) {
  while (!stop.aborted) {
    const message = await takeDueMessage(sending.db, { channels: [channel], at: sending.clock.now() })
    if (!message || (await attempt(sending, message)) === 'unreachable') return
  }
}

async function attempt(sending: Sending, message: StoredMessage) {
  const { db, clock, log, transports, hooks } = sending
  const { id, template, attempts } = message
  const hook = hooks.find((candidate) => candidate.template === template)
  const refusal = (await hook?.refusal(db, id)) ?? null
  if (refusal !== null) {
    await markFailed(db, { id, failure: null, error: refusal, retryAt: null, at: clock.now() })
    return null
  }
  const error = await handOver(sending, message)
  const at = clock.now()
  if (!error) {
    const transport = message.channel === 'email' ? transports.mailer : transports.smsSender
    await markSent(db, { id, wipe: message.is_secret && transport?.kind !== 'outbox', at })
    // Handled separately: if it fails, the message still counts as sent.
    await hook
      ?.sent(db, id, at)
      .catch((cause: unknown) => log.error({ err: cause, message: id, template }, 'a delivery hook failed'))
    return null
  }
  const retryAt = retryTime({ failure: error.failure, attempts, giveUpAt: message.give_up_at }, at)
  await markFailed(db, { id, failure: error.failure, error: error.message, retryAt, at })
  // Leaves out address and content, and the other server's answer, which quotes them.
  const about = { message: id, template, attempts, failure: error.failure, answer: error.answer }
  if (retryAt) log.warn({ ...about, retryAt }, 'message not sent yet')
  else log.error(about, 'message given up')
  return error.failure
}

/** Returns the reason why the message could not be sent, or null if it was sent. */
async function handOver(sending: Omit<Sending, 'hooks'>, message: StoredMessage) {
  const { db, clock, config, log, transports, keepMs = KEEP_MS } = sending
  const { id, attempts, recipient: to, subject, text, html, headers } = message
  const keeping = setInterval(() => {
    keepTaken(db, { id, attempts, at: clock.now() }).catch((error: unknown) =>
      log.warn({ err: error, message: id }, 'the lease of a message could not be renewed'),
    )
  }, keepMs)
  const content = { to, subject: subject ?? '', text: text ?? '', html: html ?? '' }
  try {
    if (message.channel === 'sms') await transports.smsSender?.send(content)
    else {
      await transports.mailer?.send({
        ...content,
        headers: { ...automaticHeaders, ...headers },
        messageId: messageIdOf(id, config),
      })
    }
    return null
  } catch (error) {
    if (error instanceof DeliveryError) return error
    // A bug that concerns one message must not keep the others back.
    return new DeliveryError(String(error), { failure: 'deferred', cause: error })
  } finally {
    clearInterval(keeping)
  }
}

/** Returns the time of the next attempt, or null to give up. */
export function retryTime({ failure, attempts, giveUpAt }: Failed, at: Date): Date | null {
  if (failure === 'refused') return null
  const wait = failure === 'unreachable' ? UNREACHABLE_MS : Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempts - 1))
  const next = new Date(at.getTime() + wait)
  return next > giveUpAt ? null : next
}
