import { createTransport } from 'nodemailer'
import { DeliveryError, type Mail, type Mailer } from './transports.ts'

interface Wanted {
  /** smtp://user:password@host:587 or smtps://…:465 */
  url: string
  /** An address, with or without a name before it. */
  from: string
}

const CONNECT_MS = 10_000
/**
 * Silence of a server before any of its answers, the greeting included. Some keep strangers waiting for half a minute, and
 * many look through a mail before they answer its last line: one that is given up then comes twice. RFC 5321 (4.5.3.2)
 * would have a sender wait for two to ten minutes.
 */
const SILENCE_MS = 120_000
const MAX_CONNECTIONS = 4

/** Mails by SMTP over connections that are kept. With smtp:// the server's STARTTLS is used, and certificates count. */
export function smtpMailer({ url, from }: Wanted): Mailer {
  const transport = createTransport(
    {
      ...serverOf(url),
      pool: true,
      maxConnections: MAX_CONNECTIONS,
      connectionTimeout: CONNECT_MS,
      greetingTimeout: SILENCE_MS,
      dnsTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
      // What a mail holds comes from outside: it must never make this process open a file or an address.
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from },
  )
  return {
    kind: 'smtp',
    async send({ to, subject, text, html, headers, messageId }: Mail) {
      try {
        // As an object, so that a comma or a name in it makes no second recipient.
        await transport.sendMail({
          to: { name: '', address: to },
          subject,
          text,
          html,
          headers: { ...headers },
          messageId,
        })
      } catch (error) {
        throw deliveryError(error)
      }
    },
    close: () => transport.close(),
  }
}

function serverOf(address: string) {
  const url = new URL(address)
  const secure = url.protocol === 'smtps:'
  return {
    host: url.hostname,
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    ...(url.username !== '' && {
      auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
      // A password never goes over a line that others can read.
      requireTLS: true,
    }),
  }
}

interface SmtpFault {
  code?: string
  command?: string
  responseCode?: number
}

/** Steps in which a server judges one mail. What fails in another, such as a sender it does not want, concerns all. */
const STEPS_OF_A_MAIL = new Set(['RCPT TO', 'DATA'])

function deliveryError(cause: unknown): DeliveryError {
  const { code, command, responseCode } = cause as SmtpFault
  const message = (cause as Error).message
  const answer = responseCode !== undefined && { answer: responseCode }
  // An address that no server would take, found before anything was sent.
  if (code === 'EENVELOPE' && responseCode === undefined)
    return new DeliveryError(message, { failure: 'refused', cause })
  if (responseCode === undefined || responseCode === 421 || !STEPS_OF_A_MAIL.has(command ?? '')) {
    return new DeliveryError(message, { failure: 'unreachable', ...answer, cause })
  }
  return new DeliveryError(message, { failure: responseCode >= 500 ? 'refused' : 'deferred', ...answer, cause })
}
