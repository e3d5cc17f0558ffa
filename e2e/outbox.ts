import { createClient } from '@benchwatch/client/client'
import type { OutboxMessage } from '@benchwatch/contract/messages/messages'
import { expect } from '@playwright/test'
import type { Product } from './product.ts'

/** Reads what the demo's mail and text message transports took. */
export class Outbox {
  readonly #product: Product

  constructor(product: Product) {
    this.#product = product
  }

  /** The 6 digits of the one message that `act` makes leave on this channel. Waits for it. */
  async codeAfter(act: () => Promise<unknown>, channel: OutboxMessage['channel']): Promise<string> {
    // Notifications about events arrive meanwhile, and event numbers have six digits too.
    const codes = async () =>
      (await this.#messages(channel)).filter(({ text }) => /\bcode\b/i.test(text ?? '') && !/\bORC-/.test(text ?? ''))
    const before = (await codes()).length
    await act()
    await expect.poll(async () => (await codes()).length, { intervals: [50] }).toBe(before + 1)
    const newest = (await codes()).at(-1)
    const code = /\b\d{6}\b/.exec(newest?.text ?? '')?.[0]
    if (code === undefined) throw new Error(`No code in: ${newest?.text}`)
    return code
  }

  /** The newest e-mail to this address that says `words` in its text or its subject. Waits for one. */
  async newestTo(address: string, words = ''): Promise<OutboxMessage> {
    const found = async () =>
      (await this.#messages('email')).findLast(
        ({ to, subject, text }) => to === address && `${subject}\n${text}`.includes(words),
      )
    await expect.poll(found, { intervals: [50] }).toBeDefined()
    const message = await found()
    if (message === undefined) throw new Error(`Nothing was sent to ${address}`)
    return message
  }

  async #messages(channel: OutboxMessage['channel']): Promise<OutboxMessage[]> {
    const { values } = await createClient({ url: this.#product.baseUrl, retries: 0 }).call('listOutbox')
    return values.filter((message) => message.channel === channel)
  }
}
