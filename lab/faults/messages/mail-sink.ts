import { createServer, type Server, type Socket } from 'node:net'
import type { Workplace } from '../script/workplace.ts'

/** A mail that was taken: its content was answered with `250`. */
export interface TakenMail {
  at: number
  to: string
  subject: string
  messageId: string
}

/** A step of an SMTP session in which the server can fail; `END` is the answer to the whole content. */
type MailStep = 'GREETING' | 'MAIL' | 'RCPT' | 'DATA' | 'END'

/** The answer of a failing step: a code from 400 on, or a dropped connection. */
type MailTrouble = number | 'drop'

export interface MailBehaviour {
  /** The delay before each answer. */
  replyMs?: number
  trouble?: (step: MailStep, to: string | null) => MailTrouble | null
  /** Called with a mail before its `250`, which is sent only if this returns true. */
  mayTake?: (mail: TakenMail) => Promise<boolean>
}

interface Conversation {
  socket: Socket
  recipient: string | null
  /** The lines of the content so far; null outside of it. */
  content: string[] | null
  rest: string
  /** Resolves when the last line is answered, so that lines are answered in order. */
  turn: Promise<void>
}

/**
 * A small mail server that keeps the mails it takes and fails on demand. It is not a library's, because the faults need
 * the moment right after a `250`, connections that break within the content, and answers that take half a minute.
 */
export class MailSink {
  readonly taken: TakenMail[] = []
  /** Counts contents whose sender had closed the connection before their `250`. */
  unheard = 0
  behaviour: MailBehaviour = {}
  #server: Server | null = null
  #port = 0
  readonly #sockets = new Set<Socket>()

  static async start(workplace: Workplace): Promise<MailSink> {
    const sink = new MailSink()
    workplace.atEnd(() => sink.stop())
    await sink.start()
    return sink
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.#port}`
  }

  /** Starts listening, at the same port after each stop. */
  async start(): Promise<void> {
    const server = createServer((socket) => this.#converse(socket))
    this.#server = server
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(this.#port, '127.0.0.1', resolve)
    })
    const address = server.address()
    if (address !== null && typeof address !== 'string') this.#port = address.port
  }

  /** Acts like a machine that is switched off: connections break, new ones are refused. */
  async stop(): Promise<void> {
    const server = this.#server
    this.#server = null
    this.hangUp()
    if (server) await new Promise((resolve) => server.close(resolve))
  }

  /** Breaks all connections. */
  hangUp(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  #converse(socket: Socket): void {
    this.#sockets.add(socket)
    const conversation: Conversation = { socket, recipient: null, content: null, rest: '', turn: Promise.resolve() }
    socket.setEncoding('latin1')
    socket.on('error', () => undefined)
    socket.on('close', () => this.#sockets.delete(socket))
    socket.on('data', (text: string) => {
      const lines = (conversation.rest + text).split('\r\n')
      conversation.rest = lines.pop() ?? ''
      for (const line of lines) {
        conversation.turn = conversation.turn.then(() => this.#hear(conversation, line))
      }
    })
    conversation.turn = this.#answer(conversation, { step: 'GREETING', yes: '220 sink' }).then(() => undefined)
  }

  async #hear(conversation: Conversation, line: string): Promise<void> {
    const { content } = conversation
    if (conversation.socket.destroyed) return
    if (content !== null) {
      if (line === '.') await this.#end(conversation, content)
      // Drop the connection within the content, after some lines.
      else if (content.push(line) === 10 && this.#troubleAt('DATA', conversation) === 'drop')
        conversation.socket.destroy()
      return
    }
    const [command = '', argument = ''] = line.split(/ (.*)/)
    switch (command.toUpperCase()) {
      case 'EHLO':
        await this.#reply(conversation, '250-sink\r\n250 8BITMIME')
        break
      case 'MAIL':
        conversation.recipient = null
        await this.#answer(conversation, { step: 'MAIL', yes: '250 OK' })
        break
      case 'RCPT':
        conversation.recipient = /<(.*)>/.exec(argument)?.[1] ?? argument
        await this.#answer(conversation, { step: 'RCPT', yes: '250 OK' })
        break
      case 'DATA':
        if (this.#troubleAt('DATA', conversation) === 'drop') {
          await this.#reply(conversation, '354 go on')
          conversation.content = []
        } else if (await this.#answer(conversation, { step: 'DATA', yes: '354 go on' })) conversation.content = []
        break
      case 'QUIT':
        await this.#reply(conversation, '221 bye')
        conversation.socket.end()
        break
      default:
        await this.#reply(conversation, '250 OK')
    }
  }

  async #end(conversation: Conversation, content: readonly string[]): Promise<void> {
    conversation.content = null
    const head = headersOf(content)
    const mail = {
      at: Date.now(),
      to: conversation.recipient ?? '',
      subject: head.get('subject') ?? '',
      messageId: head.get('message-id') ?? '',
    }
    if (this.#troubleAt('END', conversation) !== null) {
      await this.#answer(conversation, { step: 'END', yes: '' })
      return
    }
    await this.#pause()
    if (this.behaviour.mayTake && !(await this.behaviour.mayTake(mail))) return
    if (conversation.socket.destroyed) this.unheard += 1
    else {
      mail.at = Date.now()
      this.taken.push(mail)
      conversation.socket.write('250 taken\r\n')
    }
  }

  #troubleAt(step: MailStep, { recipient }: Conversation): MailTrouble | null {
    return this.behaviour.trouble?.(step, recipient) ?? null
  }

  /** Answers a step with `yes` or with its trouble. Returns whether it was `yes`. */
  async #answer(conversation: Conversation, { step, yes }: { step: MailStep; yes: string }): Promise<boolean> {
    const trouble = this.#troubleAt(step, conversation)
    if (trouble === null) {
      await this.#reply(conversation, yes)
      return true
    }
    await this.#pause()
    if (trouble === 'drop') conversation.socket.destroy()
    else conversation.socket.write(`${trouble} not now\r\n`)
    // 421 announces that the connection will be closed.
    if (trouble === 421) conversation.socket.end()
    return false
  }

  async #reply({ socket }: Conversation, words: string): Promise<void> {
    await this.#pause()
    if (!socket.destroyed) socket.write(`${words}\r\n`)
  }

  async #pause(): Promise<void> {
    const { replyMs = 0 } = this.behaviour
    if (replyMs > 0) await new Promise((resolve) => setTimeout(resolve, replyMs).unref())
  }
}

/** Reads the headers by lower-case name, unfolded and with encoded words decoded. */
function headersOf(content: readonly string[]): Map<string, string> {
  const lines = content.slice(0, content.indexOf(''))
  const unfolded: string[] = []
  for (const line of lines) {
    if (/^[ \t]/.test(line) && unfolded.length > 0) unfolded.push(`${unfolded.pop()}${line.replace(/^[ \t]+/, ' ')}`)
    else unfolded.push(line)
  }
  return new Map(
    unfolded.map((line) => {
      const [name = '', value = ''] = line.split(/:\s*(.*)/s)
      return [name.toLowerCase(), decodeWords(value)]
    }),
  )
}

/** Decodes RFC 2047 words, `=?UTF-8?Q?…?=` and `=?UTF-8?B?…?=`. Blanks between two of them do not count. */
function decodeWords(value: string): string {
  return value
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, coding: string, text: string) =>
      coding.toLowerCase() === 'b'
        ? Buffer.from(text, 'base64').toString()
        : Buffer.from(
            text
              .replaceAll('_', ' ')
              .replace(/=([0-9a-f]{2})/gi, (__, hex: string) => String.fromCharCode(parseInt(hex, 16))),
            'latin1',
          ).toString(),
    )
}
