import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { withClient } from '../../product/database.ts'
import { type Fixture, openFixture } from '../load/fixture.ts'
import { GatewayItems } from '../load/gateway-items.ts'
import { sendBatch, settle } from '../load/gateway-load.ts'
import { addNotifiedPeople } from '../messages/notified-people.ts'
import { runFault } from '../script/fault-script.ts'
import type { Workplace } from '../script/workplace.ts'

const numbers = ['+46705550111', '+46705550112']
/** One minute, then two (`retryTime` of messages.jobs.ts), less the tolerance of clocks. */
const WAITS_MS = [58_000, 118_000]
/** A provider that does not answer is retried after half a minute. */
const UNREACHABLE_WAIT_MS = 28_000
const PATIENCE_MS = 300_000

/** One request to send a text message and its answer: a status, or none at all. */
interface SmsAttempt {
  at: number
  to: string
  body: string
  answer: number | 'none'
}

/** A server that answers like the provider of text messages and keeps the requests. */
class SmsSink {
  readonly attempts: SmsAttempt[] = []
  /** 201 accepts a message. */
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

  /** The messages that were accepted. */
  get taken(): SmsAttempt[] {
    return this.attempts.filter(({ answer }) => answer === 201)
  }
}

/**
 * The provider of text messages answers that it gets too many requests, then does not answer at all, while users are
 * notified about new events. Then there is a storm of events, of which each user gets as many messages as the limit
 * allows, and the rest in a digest.
 */
await runFault({
  name: 'sms-trouble',
  parameters: { limit: 5, storm: 60 },
  async run({ workplace, verdict, parameters: { limit, storm } }) {
    const sink = await SmsSink.start(workplace)
    const fixture = await openFixture(workplace, {
      gateways: 1,
      env: {
        TWILIO_ACCOUNT_SID: 'AC0',
        TWILIO_AUTH_TOKEN: 'token',
        TWILIO_FROM: '+46705550100',
        TWILIO_API_URL: sink.url,
        NOTIFICATION_SMS_PER_HOUR: String(limit),
        NOTIFICATION_DIGEST_MINUTES: '1',
        GATEWAY_SILENCE_SECONDS: '0',
      },
    })
    await addNotifiedPeople(
      fixture,
      numbers.map((msisdn, at) => ({ login: `sms${at}@benchwatch.example`, msisdn })),
    )
    const raise = alarmsOf(fixture)

    await raise(1)
    await until(() => sink.taken.length === numbers.length, 'the first messages')

    sink.answer = 429
    await raise(1)
    await until(
      () => sink.attempts.filter(({ answer }) => answer === 429).length >= 2 * numbers.length,
      'the second 429',
    )
    sink.answer = 201
    await until(() => sink.taken.length === 2 * numbers.length, 'the messages after 429')
    const busy = byMessage(sink, 429)
    console.log('429: done')

    sink.answer = 'none'
    await raise(1)
    await until(
      () => sink.attempts.filter(({ answer }) => answer === 'none').length >= 2 * numbers.length,
      'the second time-out',
    )
    sink.answer = 201
    await until(() => sink.taken.length === 3 * numbers.length, 'the messages after time-outs')
    const silent = byMessage(sink, 'none')
    console.log('time-outs: done')

    await raise(storm)
    const events = 3 + storm
    await until(() => numbers.every((to) => receivedBy(sink, to).events >= events), 'all events of the storm')
    // A later message would be one too many.
    await pause(90_000)

    const waits = [...busy.values()].map((attempts) =>
      attempts.slice(1).map(({ at }, index) => at - (attempts[index]?.at ?? 0)),
    )
    verdict.atMost('asked again too soon after 429', {
      figure: waits.flat().filter((wait, index) => wait < (WAITS_MS[index % WAITS_MS.length] ?? 0)).length,
      most: 0,
    })
    verdict.figure(
      'waits after 429 s',
      waits.map((wait) => wait.map((ms) => Math.round(ms / 1000)).join(' ')).join(', '),
    )
    verdict.atMost('asked again too soon after a time-out', {
      figure: [...silent.values()]
        .flatMap((attempts) => attempts.slice(1).map(({ at }, index) => at - (attempts[index]?.at ?? 0)))
        .filter((wait) => wait < UNREACHABLE_WAIT_MS).length,
      most: 0,
    })
    for (const to of numbers) {
      const received = receivedBy(sink, to)
      verdict.atMost(`messages of their own to ${to}`, { figure: received.single, most: limit })
      verdict.figure(`digests to ${to}`, received.digests)
      verdict.check(`events sent to ${to}`, {
        figure: received.events,
        goal: `each once: ${events}`,
        passed: received.events === events,
      })
    }
    verdict.atMost('messages taken twice', {
      figure: sink.taken.length - new Set(sink.taken.map(({ to, body }) => `${to} ${body}`)).size,
      most: 0,
    })
    verdict.figure('requests to the provider', sink.attempts.length)
    verdict.atMost('notifications that were neither sent nor counted', {
      figure: await withClient(fixture.databaseUrl(), unsentNotifications),
      most: 0,
    })
    verdict.memory(fixture.product.peakRss)
  },
})

/** Raises a number of alarms, one event each, and waits until they are acknowledged. */
function alarmsOf({ client, fleet, ledger }: Fixture): (count: number) => Promise<void> {
  const [gateway] = fleet.gateways
  if (!gateway) throw new Error('There is no gateway.')
  const items = new GatewayItems(gateway, ledger)
  return async (count) => {
    const batch = Array.from({ length: count }, () => items.alarm())
    const ids = batch.map(({ id }) => id)
    ledger.noteSending(gateway.name, ids)
    const answer = await sendBatch(client, { gateway: gateway.name, key: gateway.key, items: batch })
    if (answer.status !== 200) throw new Error(`The server answered ${answer.status || answer.failure}.`)
    settle(ledger, { gateway: gateway.name, ids, answer })
  }
}

/** Returns the attempts of messages that got this answer, oldest first. */
function byMessage(sink: SmsSink, answer: SmsAttempt['answer']): Map<string, SmsAttempt[]> {
  const all = Map.groupBy(sink.attempts, ({ to, body }) => `${to} ${body}`)
  return new Map([...all].filter(([, attempts]) => attempts.some((attempt) => attempt.answer === answer)))
}

/** Counts what a user received by the messages that were taken: a digest says how many events it is about. */
function receivedBy(sink: SmsSink, to: string): { single: number; digests: number; events: number } {
  const lists = sink.taken
    .filter((message) => message.to === to)
    .map(({ body }) => Number(/^(\d+) more service events?/.exec(body)?.[1] ?? 0))
  const digests = lists.filter((events) => events > 0)
  const single = lists.length - digests.length
  return { single, digests: digests.length, events: single + digests.reduce((sum, events) => sum + events, 0) }
}

async function unsentNotifications(database: Parameters<Parameters<typeof withClient>[1]>[0]): Promise<number> {
  const { rows } = await database.query<{ unsent: number }>(
    `SELECT count(*)::int AS unsent FROM notification n LEFT JOIN outbound_message m ON m.id = n.message_id
     WHERE m.sent_at IS NULL`,
  )
  return rows[0]?.unsent ?? 0
}

async function until(isSo: () => boolean, what: string): Promise<void> {
  const giveUpAt = Date.now() + PATIENCE_MS
  while (!isSo()) {
    if (Date.now() > giveUpAt) throw new Error(`Waited in vain for ${what}.`)
    await pause(200)
  }
}
