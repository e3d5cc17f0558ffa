import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { callbackify } from 'node:util'
import type { ParsedMail } from 'mailparser'
import type { SMTPServerAuthentication, SMTPServerDataStream, SMTPServerOptions, SMTPServerSession } from 'smtp-server'
import { z } from 'zod'
import { type RunningMapping, startMapping } from '../mapping/mapping.ts'
import { checkEnds, checkTemplates, mappedSource } from '../mapping/rules.ts'
import type { Facts } from '../mapping/templates.ts'
import type { Source, SourceContext } from '../source.ts'
import { addressWithPort, cannotListen, hostAndPort } from './address.ts'
import { isSecret, readSecret } from './secret.ts'

/**
 * Takes mails of instruments that can only send mail. The sender gets its 250 when the reports are on disk, and
 * otherwise an error that makes it send the mail again.
 */

export const mailSource = z
  .strictObject({
    kind: z.literal('mail'),
    ...mappedSource,
    listen: addressWithPort('127.0.0.1:2525'),
    /** Without a user, anyone who can reach the port may report. */
    user: z.strictObject({ name: z.string().min(1), passwordFile: z.string() }).optional(),
    /** Paths of PEM files. With them the server offers STARTTLS, and takes a password over nothing else. */
    tls: z.strictObject({ certificate: z.string(), key: z.string() }).optional(),
    maxBytes: z.number().int().min(1000).max(50_000_000).default(1_000_000),
  })
  .superRefine(checkTemplates)
  .superRefine(checkEnds)
export type MailConfig = z.output<typeof mailSource>

/** Mails are read into memory, so this bounds it together with `maxBytes`. */
const MOST_CONNECTIONS = 32

/** Time for mails in flight to finish when the program ends. */
const LAST_MAIL_MS = 2000

/** Lines of an e-mail that are searched for fields such as `Temperature: -51.3`. */
const MOST_LINES = 1000

/** An answer to the sender. Codes from 500 on are final; after others it sends the mail again. */
class Answer extends Error {
  readonly responseCode: number
  constructor(responseCode: number, message: string) {
    super(message)
    this.responseCode = responseCode
  }
}

export function mail(config: MailConfig): Source {
  return async (context) => {
    const { SMTPServer } = await import('smtp-server')
    const { simpleParser } = await import('mailparser')
    const options = await optionsOf(config)
    const mapping = startMapping(config, context)
    // Only texts are read: pictures and links of a page cost time and say nothing.
    const parse = (raw: Buffer) => simpleParser(raw, { skipImageLinks: true, skipTextToHtml: true })
    const server = new SMTPServer({
      ...options,
      onData: (stream, session, done) =>
        callbackify(() => take(stream, session, { config, context, mapping, parse }))((error) => done(error)),
    })
    await new Promise<void>((resolve, reject) => {
      server.on('error', reject)
      server.listen(hostAndPort(config.listen), resolve)
    }).catch(async (error: unknown) => {
      await mapping.stop()
      throw cannotListen(config.listen, error)
    })
    // A connection that breaks is an error of the server too, and the sender repeats the mail.
    server.on('error', (error) => context.log.debug({ err: error }, 'A connection of a mail sender broke.'))
    context.link(config.name, 'up')
    return {
      async stop() {
        await new Promise<void>((resolve) => server.close(() => resolve()))
        await mapping.stop()
      },
    }
  }
}

async function optionsOf({ user, tls, maxBytes }: MailConfig): Promise<SMTPServerOptions> {
  const password = user && (await readSecret(user.passwordFile))
  const isAllowed = ({ username, password: given }: SMTPServerAuthentication) =>
    username === user?.name && given !== undefined && password !== undefined && isSecret(given, password)
  return {
    size: maxBytes,
    maxClients: MOST_CONNECTIONS,
    closeTimeout: LAST_MAIL_MS,
    disableReverseLookup: true,
    banner: 'Benchwatch gateway',
    authOptional: !user,
    authMethods: ['PLAIN', 'LOGIN'],
    allowInsecureAuth: !tls,
    disabledCommands: [...(user ? [] : ['AUTH']), ...(tls ? [] : ['STARTTLS'])],
    ...(tls && { cert: await readFile(tls.certificate), key: await readFile(tls.key) }),
    onAuth: (given, _session, done) =>
      isAllowed(given) ? done(null, { user: given.username }) : done(new Answer(535, 'The name or password is wrong.')),
  }
}

interface Taking {
  config: MailConfig
  context: SourceContext
  mapping: RunningMapping
  parse: (raw: Buffer) => Promise<ParsedMail>
}

async function take(
  stream: SMTPServerDataStream,
  { envelope }: SMTPServerSession,
  { config, context, mapping, parse }: Taking,
): Promise<void> {
  const raw = await readWhole(stream, config.maxBytes)
  if (!raw) {
    context.fault(`An e-mail from ${addressOf(envelope.mailFrom)} is larger than maxBytes (${config.maxBytes}).`)
    throw new Answer(552, `The e-mail is larger than ${config.maxBytes} bytes.`)
  }
  let parsed: ParsedMail
  try {
    parsed = await parse(raw)
  } catch (error) {
    context.fault(`An e-mail from ${addressOf(envelope.mailFrom)} can't be read: ${String(error)}`)
    throw new Answer(554, 'The e-mail cannot be read.')
  }
  const recipients = envelope.rcptTo.map(({ address }) => address)
  try {
    await mapping.take(factsOf(parsed, { sender: addressOf(envelope.mailFrom), recipients, raw }))
  } catch (error) {
    context.log.error({ err: error }, 'An e-mail could not be stored; its sender will repeat it. Check the disk.')
    throw new Answer(451, 'The e-mail could not be stored. Try again later.')
  }
  if (context.isTrial) throw new Answer(451, 'This is a trial of the mapping; nothing is kept.')
}

/** Reads a mail; null if it is too large. The rest of it is read and forgotten, because the answer comes after it. */
async function readWhole(stream: SMTPServerDataStream, maxBytes: number): Promise<Buffer | null> {
  async function* part() {
    let bytes = 0
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes <= maxBytes) yield chunk
    }
  }
  const raw = await buffer(part())
  return stream.sizeExceeded ? null : raw
}

const addressOf = (address: SMTPServerSession['envelope']['mailFrom']) => (address ? address.address : '')

/** Each recipient of the envelope is a message of its own, because an address may stand for an instrument. */
function factsOf(
  mail: ParsedMail,
  { sender, recipients, raw }: { sender: string; recipients: string[]; raw: Buffer },
): Facts[] {
  const text = (mail.text ?? '').replaceAll('\r\n', '\n').trim()
  // The date too: some instruments give all their e-mails one Message-ID.
  const message = `${mail.messageId ?? createHash('sha256').update(raw).digest('hex')} ${mail.date?.getTime()}`
  const headers = Object.fromEntries(mail.headerLines.map(({ key, line }) => [key, line.replace(/^[^:]*:\s*/, '')]))
  const common = {
    from: mail.from?.value[0]?.address ?? sender,
    subject: mail.subject ?? '',
    text,
    fields: fieldsOf(text),
    headers,
    // Some instruments write the same e-mail each time.
    repeated: mail.messageId !== undefined || mail.date !== undefined,
    // A Date header that is broken becomes an invalid date; the time of receipt is the better one then.
    ...(mail.date && !Number.isNaN(mail.date.getTime()) && { time: mail.date }),
  }
  return recipients.map((to) => ({ ...common, to, mailbox: to.split('@')[0], id: `${message} ${to}` }))
}

/** Reads lines such as `Temperature: -51.3` or `Status = alarm`. The first one of a name counts. */
function fieldsOf(text: string): Record<string, string> {
  const pairs = text.split('\n', MOST_LINES).flatMap((line) => {
    const [, name, value] = /^\s*([^\s:=][^:=]{0,59}?)\s*[:=]\s*(.*?)\s*$/.exec(line.slice(0, 2000)) ?? []
    return name && value ? [[name, value] as const] : []
  })
  return Object.fromEntries(pairs.reverse())
}
