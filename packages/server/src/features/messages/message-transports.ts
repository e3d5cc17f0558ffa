import type { Config } from '../../config.ts'
import { smtpMailer } from '../../platform/messages/smtp-mailer.ts'
import { type Mailer, outboxMailer, outboxSmsSender, type SmsSender } from '../../platform/messages/transports.ts'
import { twilioSmsSender } from '../../platform/messages/twilio-sms-sender.ts'

/** A null transport is not configured: e-mails wait, text messages fail at once. */
export interface Transports {
  mailer: Mailer | null
  smsSender: SmsSender | null
}

/** Returns the configured transports, or the outbox while demo data are in use. */
export function createTransports({ mail, twilio, demo }: Pick<Config, 'mail' | 'twilio' | 'demo'>): Transports {
  const isDemo = demo !== 'off'
  return {
    mailer: mail.smtpUrl !== null ? smtpMailer({ url: mail.smtpUrl, from: mail.from }) : isDemo ? outboxMailer : null,
    smsSender: twilio ? twilioSmsSender(twilio) : isDemo ? outboxSmsSender : null,
  }
}
