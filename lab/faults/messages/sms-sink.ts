import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Workplace } from '../script/workplace.ts'

/** One request to send a text message, and what it was answered: a status, or nothing at all. */
export interface SmsAttempt {
  at: number
  to: string
  body: string
  answer: number | 'none'
}

/** A server that answers as the provider of text messages does, and keeps what it was asked. */
export class SmsSink {
  readonly attempts: SmsAttempt[] = []
  /** 201 takes a message. */
  answer: SmsAttempt['answer'] = 201
  readonly #server: Server

  private constructor() {
    this.#server = createServer((request, response) => {
      void text(request).then((form) => {
        const fields = new URLSearchParams(form)
        const { answer } = this
        this.attempts.push({ at: Date.now(), to: fields.get('To') ?? '', body: fields.get('Body') ?? '', answer })
        if (answer === 'none') return
        response.writeHead(answer, { 'content-type': 'application/json' })
        response.end(JSON.stringify(answer < 300 ? { sid: 'SM1' } : { code: 20429, message: 'Too many requests' }))
      })
    })
  }

  static async start(workplace: Workplace): Promise<SmsSink> {
    const sink = new SmsSink()
    await new Promise<void>((resolve) => sink.#server.listen(0, '127.0.0.1', resolve))
    workplace.atEnd(() => {
      sink.#server.closeAllConnections()
      sink.#server.close()
    })
    return sink
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Messages that were taken. */
  get taken(): SmsAttempt[] {
    return this.attempts.filter(({ answer }) => answer === 201)
  }
}
