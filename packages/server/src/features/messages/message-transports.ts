import type { Config } from '../../config.ts'
import { smtpMailer } from '../../platform/messages/smtp-mailer.ts'
import { type Mailer, outboxMailer, outboxSmsSender, type SmsSender } from '../../platform/messages/transports.ts'
import { twilioSmsSender } from '../../platform/messages/twilio-sms-sender.ts'

/** Null where nothing is configured: then mails wait, and text messages fail at once. */
export interface Transports {
  mailer: Mailer | null
  smsSender: SmsSender | null
}

/** What the configuration names; else the outbox while there are demo data. */
export function createTransports({ mail, twilio, demo }: Pick<Config, 'mail' | 'twilio' | 'demo'>): Transports {
  const isDemo = demo !== 'off'
  return {
    mailer: mail.smtpUrl !== null ? smtpMailer({ url: mail.smtpUrl, from: mail.from }) : isDemo ? outboxMailer : null,
    smsSender: twilio ? twilioSmsSender(twilio) : isDemo ? outboxSmsSender : null,
  }
}
