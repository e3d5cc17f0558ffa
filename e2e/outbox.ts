import type { OutboxMessage } from '@benchwatch/contract/messages'
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
    const before = (await this.#messages(channel)).length
    await act()
    await expect.poll(async () => (await this.#messages(channel)).length, { intervals: [50] }).toBe(before + 1)
    const newest = (await this.#messages(channel)).at(-1)
    const code = /\b\d{6}\b/.exec(newest?.text ?? '')?.[0]
    if (code === undefined) throw new Error(`No code in: ${newest?.text}`)
    return code
  }

  /** The newest e-mail to this address. Waits for one. */
  async newestTo(address: string): Promise<OutboxMessage> {
    const found = async () => (await this.#messages('email')).findLast(({ to }) => to === address)
    await expect.poll(found, { intervals: [50] }).toBeDefined()
    const message = await found()
    if (message === undefined) throw new Error(`Nothing was sent to ${address}`)
    return message
  }

  async #messages(channel: OutboxMessage['channel']): Promise<OutboxMessage[]> {
    const answer = await fetch(`${this.#product.baseUrl}/api/dev/outbox`)
    const { values } = (await answer.json()) as { values: OutboxMessage[] }
    return values.filter((message) => message.channel === channel)
  }
}
