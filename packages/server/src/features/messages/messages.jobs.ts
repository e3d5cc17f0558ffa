import { enqueueJob, type JobHandler } from '../../db/jobs.ts'
import type { LeaderTask } from '../../db/leader.ts'
import { DeliveryError } from '../../platform/messages/delivery-error.ts'
import type { FeatureContext } from '../context.ts'
import type { MessageCourse } from '../outgoing-messages.ts'
import { automaticHeaders, messageIdOf } from './mail-headers.ts'
import type { Transports } from './message-transports.ts'
import { SEND_MESSAGES_JOB } from './messages.service.ts'
import {
  type Channel,
  giveUpOverdue,
  hasDueMessage,
  markFailed,
  markSent,
  type StoredMessage,
  takeDueMessage,
} from './messages.store.ts'
import { retryTime } from './retry.ts'

interface Sending extends Pick<FeatureContext, 'db' | 'clock' | 'config' | 'log'> {
  transports: Transports
  courses: readonly MessageCourse[]
}

/** Messages that one process sends side by side; as many as its mailer has connections. */
const LANES = 4

/**
 * The job that sends what is due, whoever wrote it: a job is only the knock, and one that is lost or comes twice does no
 * harm. A second one in this process asks the first to look once more, and leaves its place to other work.
 */
export function messageJobs(sending: Sending): JobHandler[] {
  let isSending = false
  let lookAgain = false
  return [
    {
      name: SEND_MESSAGES_JOB,
      async run(_payload, stop) {
        lookAgain = true
        if (isSending) return
        isSending = true
        try {
          while (lookAgain && !stop.aborted) {
            lookAgain = false
            const channels = openChannels(sending.transports)
            await Promise.all(Array.from({ length: LANES }, () => sendInTurn(sending, { channels, stop })))
          }
        } finally {
          isSending = false
        }
      },
    },
  ]
}

/**
 * What one process of all does from time to time: knocks for messages that are due, which are those to be tried again,
 * those of a process that died, those that waited for a transport to be configured, and those of a restored backup.
 */
export function messageTasks(sending: Sending): LeaderTask[] {
  const { db, clock, log, transports } = sending
  return [
    {
      name: 'give up messages that are of no use any more',
      everyMs: 60_000,
      async run() {
        const count = await giveUpOverdue(db, clock.now())
        if (count > 0) log.error({ count }, 'messages given up that could not be sent in time')
      },
    },
    {
      name: 'knock for messages that are due',
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

/** Sends one after the other until nothing is due. A transport that can't be reached is left alone until the next job. */
async function sendInTurn(sending: Sending, { channels, stop }: { channels: Channel[]; stop: AbortSignal }) {
  let open = channels
  while (open.length > 0 && !stop.aborted) {
    const message = await takeDueMessage(sending.db, { channels: open, at: sending.clock.now() })
    if (!message) return
    const failure = await attempt(sending, message)
    if (failure === 'unreachable') open = open.filter((channel) => channel !== message.channel)
  }
}

async function attempt({ db, clock, config, log, transports, courses }: Sending, message: StoredMessage) {
  const { id, template, attempts } = message
  const course = courses.find((candidate) => candidate.template === template)
  const refusal = (await course?.refusal(db, id)) ?? null
  if (refusal !== null) {
    await markFailed(db, { id, failure: null, error: refusal, retryAt: null, at: clock.now() })
    return null
  }
  const error = await handOver({ config, transports }, message)
  const at = clock.now()
  if (!error) {
    const transport = message.channel === 'email' ? transports.mailer : transports.smsSender
    await markSent(db, { id, wipe: message.is_secret && transport?.kind !== 'outbox', at })
    // By itself: were it to fail, a message that has left must not count as one that has not.
    await course
      ?.sent(db, id, at)
      .catch((cause: unknown) => log.error({ err: cause, message: id, template }, 'what follows a message failed'))
    return null
  }
  const retryAt = retryTime({ failure: error.failure, attempts, giveUpAt: message.give_up_at }, at)
  await markFailed(db, { id, failure: error.failure, error: error.message, retryAt, at })
  // Neither address nor content, and not the other side's words, which quote them.
  const about = { message: id, template, attempts, failure: error.failure, answer: error.answer }
  if (retryAt) log.warn({ ...about, retryAt }, 'message not sent yet')
  else log.error(about, 'message given up')
  return error.failure
}

/** Why it did not leave; null when it did. */
async function handOver({ config, transports }: Pick<Sending, 'config' | 'transports'>, message: StoredMessage) {
  const { id, recipient: to, subject, text, html, headers } = message
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
    // A mistake of ours in one message must not keep the others back.
    return new DeliveryError(String(error), { failure: 'deferred', cause: error })
  }
}
