import { enqueueJob } from '../../db/queues/jobs.ts'
import { problem } from '../../platform/http/problem.ts'
import { DeliveryError } from '../../platform/messages/transports.ts'
import type { FeatureContext } from '../context.ts'
import { hasSms, type Messages } from '../outgoing-messages.ts'
import type { Transports } from './message-transports.ts'
import { hasUnreachableMail, insertMessages, insertSentMessage } from './messages.store.ts'

/** Name of the job that sends due messages. */
export const SEND_MESSAGES_JOB = 'send messages'
/** An e-mail that has waited this long for an unreachable mail server means that new ones would wait too. */
const BUSY_AFTER_MS = 120_000
/** Timeout for the provider while a user waits for a code, whose request is answered within five seconds. */
const ANSWER_MS = 4000

type Needs = Pick<FeatureContext, 'db' | 'clock' | 'config' | 'log'> & { transports: Transports }

/** Creates the sending functions used by all features. */
export function createMessages({ db, clock, config, log, transports }: Needs): Messages {
  if (!transports.mailer) {
    log.warn({ notice: true }, 'E-mails cannot be sent: set SMTP_URL. Until then, new e-mails wait for up to a day.')
  }
  return {
    async queue(trx, messages, at) {
      const leaving = hasSms(config) ? messages : messages.filter(({ channel }) => channel === 'email')
      if (leaving.length < messages.length) {
        log.info({ count: messages.length - leaving.length }, 'text messages left out: none are sent in China')
      }
      if (leaving.length === 0) return messages.map(() => null)
      const ids = await insertMessages(trx, leaving, at)
      await enqueueJob(trx, { name: SEND_MESSAGES_JOB, payload: {} })
      const idOf = new Map(leaving.map((message, index) => [message, ids[index] ?? null]))
      return messages.map((message) => idOf.get(message) ?? null)
    },

    async sendNow(message) {
      const { smsSender } = transports
      if (!smsSender || !hasSms(config)) {
        throw problem(
          'sms-failed',
          'This installation does not send text messages. Ask an administrator for another second factor.',
        )
      }
      try {
        await smsSender.send({ to: message.to, text: message.text }, ANSWER_MS)
      } catch (error) {
        if (!(error instanceof DeliveryError)) throw error
        log.warn({ template: message.template, failure: error.failure, answer: error.answer }, 'text message not sent')
        if (error.failure === 'refused') {
          throw problem(
            'bad-phone',
            'The mobile number cannot receive text messages. Ask an administrator to correct it.',
          )
        }
        throw problem('sms-failed', 'The text message could not be sent. Try again in a minute.')
      }
      await insertSentMessage(db, { message, keepContent: smsSender.kind === 'outbox', at: clock.now() })
    },

    async isMailBusy() {
      if (!transports.mailer) return true
      return hasUnreachableMail(db, new Date(clock.now().getTime() - BUSY_AFTER_MS))
    },
  }
}
