import type { AddressInfo, Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { callbackify } from 'node:util'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server'

/** An SMTP server on this machine that keeps the mails it accepts. */
export interface MailServer {
  url: string
  /** In the order in which they were accepted. */
  mails: TakenMail[]
  /**
   * Answers to the next commands of a kind instead of 250, such as 421; `drop` closes the connection, `dribble` sends a
   * byte now and then, without end.
   */
  answers: Record<'MAIL' | 'RCPT' | 'DATA', (number | 'drop' | 'dribble')[]>
  close(): Promise<void>
}

export interface TakenMail {
  recipients: string[]
  raw: string
  parsed: ParsedMail
}

interface MailServerInput {
  /** Offers STARTTLS with a self-signed certificate. */
  withBadCertificate?: boolean
}

export async function startMailServer({ withBadCertificate = false }: MailServerInput = {}): Promise<MailServer> {
  const mails: TakenMail[] = []
  const answers: MailServer['answers'] = { MAIL: [], RCPT: [], DATA: [] }
  const take = (command: keyof typeof answers): Error | null => {
    const answer = answers[command].shift()
    if (answer === undefined) return null
    if (typeof answer === 'number')
      return Object.assign(new Error('not this time, <secret@words.example>'), { responseCode: answer })
    for (const connection of connectionsOf(server)) connection._socket.destroy()
    return null
  }
  const options: SMTPServerOptions = {
    authOptional: true,
    disabledCommands: withBadCertificate ? ['AUTH'] : ['AUTH', 'STARTTLS'],
    onMailFrom: (_address, _session, done) => done(take('MAIL')),
    onRcptTo(_address, { id }, done) {
      if (answers.RCPT[0] !== 'dribble') return done(take('RCPT'))
      answers.RCPT.shift()
      for (const connection of connectionsOf(server)) if (connection.id === id) dribble(connection._socket)
    },
    onData(stream, session, done) {
      if (answers.DATA[0] === 'drop') {
        stream.once('data', () => take('DATA'))
        return
      }
      callbackify(keep)(stream, session, (error) => done(error))
    },
  }
  async function keep(stream: Readable, { envelope }: SMTPServerSession): Promise<void> {
    const raw = await text(stream)
    const refusal = take('DATA')
    if (refusal) throw refusal
    const recipients = envelope.rcptTo.map(({ address }) => address)
    mails.push({ recipients, raw, parsed: await simpleParser(raw) })
  }
  const server = new SMTPServer(options)
  // Some tests disconnect the client in the middle.
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    answers,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

/** Returns the open connections, which are missing from the server's types. */
function connectionsOf(server: SMTPServer) {
  return (server as unknown as { connections: Set<{ id: string; _socket: Socket }> }).connections
}

function dribble(socket: Socket) {
  const bytes = setInterval(() => socket.write('2'), 5)
  socket.once('close', () => clearInterval(bytes))
}
