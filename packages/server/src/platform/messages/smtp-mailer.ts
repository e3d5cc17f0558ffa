import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { createTransport } from 'nodemailer'
import { DeliveryError, type Mail, type Mailer } from './transports.ts'

interface SmtpInput {
  /** smtp://user:password@host:587 or smtps://…:465 */
  url: string
  /** An address, with or without a name before it. */
  from: string
  /** Limit for one mail, in milliseconds. */
  attemptMs?: number
}

const CONNECT_MS = 10_000
/**
 * Timeout for each answer of a server, including the greeting. Some let unknown senders wait for half a minute, and
 * many scan a mail before they answer its last line; a mail that is given up then arrives twice. RFC 5321 (4.5.3.2)
 * recommends two to ten minutes.
 */
const SILENCE_MS = 120_000
/** Limit for one mail: a server that sends a byte now and then is never silent. */
const ATTEMPT_MS = 2 * SILENCE_MS
const MAX_CONNECTIONS = 4

/**
 * Sends mails by SMTP over pooled connections. With smtp:// it uses the server's STARTTLS, and verifies certificates.
 */
export function smtpMailer({ url, from, attemptMs = ATTEMPT_MS }: SmtpInput): Mailer {
  const server = { ...serverOf(url), connectionTimeout: CONNECT_MS }
  const transport = createTransport(
    {
      ...server,
      pool: true,
      maxConnections: MAX_CONNECTIONS,
      greetingTimeout: SILENCE_MS,
      dnsTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
      // The content of a mail comes from outside and must never make this process open a file or a URL.
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from },
  )
  const answersOthers = () =>
    Promise.race([
      createTransport({ ...server, greetingTimeout: CONNECT_MS, socketTimeout: CONNECT_MS })
        .verify()
        .catch(() => false),
      pause(2 * CONNECT_MS, false, { ref: false }),
    ])
  // The library cannot end an attempt, so its connection is closed.
  const pool = transport.transporter as unknown as { _connections: Connection[] }
  const closeConnection = (messageId: string) =>
    pool._connections
      .find(({ queueEntry }) => queueEntry && queueEntry.mail.data.messageId === messageId)
      ?.connection._socket?.destroy(new Error('The mail server took too long.'))
  return {
    kind: 'smtp',
    async send({ to, subject, text, html, headers, messageId }: Mail) {
      const overdue = setTimeout(() => closeConnection(messageId), attemptMs)
      try {
        // An object, so that a comma or a name in the address can't create a second recipient.
        await transport.sendMail({
          to: { name: '', address: to },
          subject,
          text,
          html,
          headers: { ...headers },
          messageId,
        })
      } catch (error) {
        throw await deliveryError(error, answersOthers)
      } finally {
        clearTimeout(overdue)
      }
    },
    close: () => transport.close(),
  }
}

/** A connection of the library's pool, with the mail that it sends. */
interface Connection {
  queueEntry?: { mail: { data: { messageId?: string } } } | false
  connection: { _socket?: Socket }
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
      // A password is never sent over an unencrypted connection.
      requireTLS: true,
    }),
  }
}

interface SmtpFault {
  code?: string
  command?: string
  responseCode?: number
}

/**
 * SMTP commands by which a server judges one mail. A failure of another command, such as a refused sender, affects all
 * mails.
 */
const STEPS_OF_A_MAIL = new Set(['RCPT TO', 'DATA'])

/**
 * A session that broke says nothing about the next one. If the server accepts a new one, the failure belongs to the
 * mail: tried every 30 seconds, a mail that arrives although its answer is lost would arrive thousands of times, and
 * users would read that the mail service is busy.
 */
async function deliveryError(cause: unknown, answersOthers: () => Promise<boolean>): Promise<DeliveryError> {
  const { code, command, responseCode } = cause as SmtpFault
  const message = (cause as Error).message
  const answer = responseCode !== undefined && { answer: responseCode }
  // An invalid address, detected before anything was sent.
  if (code === 'EENVELOPE' && responseCode === undefined)
    return new DeliveryError(message, { failure: 'refused', cause })
  const isAboutMail = STEPS_OF_A_MAIL.has(command ?? '')
  if (responseCode === undefined || (responseCode === 421 && isAboutMail)) {
    const failure = (await answersOthers()) ? 'deferred' : 'unreachable'
    return new DeliveryError(message, { failure, ...answer, cause })
  }
  if (!isAboutMail) return new DeliveryError(message, { failure: 'unreachable', ...answer, cause })
  return new DeliveryError(message, { failure: responseCode >= 500 ? 'refused' : 'deferred', ...answer, cause })
}
