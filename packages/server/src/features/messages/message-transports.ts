import type { Config } from '../../config.ts'
import { type Mailer, outboxMailer, outboxSmsSender, type SmsSender } from '../../platform/messages/transports.ts'
import { twilioSmsSender } from '../../platform/messages/twilio-sms-sender.ts'

/** A null transport is not configured: e-mails wait, text messages fail at once. */
export interface Transports {
  mailer: Mailer | null
  smsSender: SmsSender | null
}

/** Returns the configured transports, or the outbox while demo data are in use. */
export async function createTransports({
  mail,
  twilio,
  demo,
}: Pick<Config, 'mail' | 'twilio' | 'demo'>): Promise<Transports> {
  const isDemo = demo !== 'off'
  return {
    mailer: mail.smtpUrl !== null ? await openMailer(mail.smtpUrl, mail.from) : isDemo ? outboxMailer : null,
    smsSender: twilio ? twilioSmsSender(twilio) : isDemo ? outboxSmsSender : null,
  }
}

/** Loads the library for mails only if a mail server is configured: it takes 20 MB. */
async function openMailer(url: string, from: string): Promise<Mailer> {
  const { smtpMailer } = await import('../../platform/messages/smtp-mailer.ts')
  return smtpMailer({ url, from })
}
