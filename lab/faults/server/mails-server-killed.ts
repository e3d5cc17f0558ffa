import { setTimeout as pause } from 'node:timers/promises'
import { withClient } from '../../product/database.ts'
import { openFixture, settleFixture, startLoad } from '../load/fixture.ts'
import { compareMails, countWaiting, unnoted } from '../messages/mail-comparison.ts'
import { MailSink, type TakenMail } from '../messages/mail-sink.ts'
import { addNotifiedPeople, addSupportEmails } from '../messages/notified-people.ts'
import type { Product } from '../product/product.ts'
import { runFault } from '../script/fault-script.ts'

const people = ['anna@benchwatch.example', 'bo@benchwatch.example']
/** More alarms than a run makes. */
const ALARM_KINDS = 40_000
/**
 * Messages in flight in a server that died are sent again two minutes after they were taken. This allows some time to
 * send them.
 */
const AGAIN_MS = 5 * 60_000
/**
 * Bytes that a process sent before it died reach the mail server a little later. The next process needs longer than
 * this to start.
 */
const LAST_BYTES_MS = 200
/** No answer is sent for this long before a forced kill, so that all earlier ones are noted. */
const NOTED_MS = 300
/** The number of mails in flight at once. */
const CONNECTIONS = 4

/**
 * The server's process is killed while it mails users and contacts about new events: at random times, and deliberately
 * between the mail server's `250` and the moment when the product notes that the mail was sent.
 */
await runFault({
  name: 'mails-server-killed',
  parameters: { kills: 50, rate: 20, gateways: 5 },
  async run({ workplace, verdict, parameters: { kills, rate, gateways } }) {
    const sink = await MailSink.start(workplace)
    const fixture = await openFixture(workplace, {
      gateways,
      supervised: true,
      env: {
        SMTP_URL: sink.url,
        NOTIFICATION_MAILS_PER_HOUR: '0',
        SUPPORT_EMAILS_PER_CONTACT_PER_HOUR: '0',
        GATEWAY_SILENCE_SECONDS: '0',
      },
    })
    const { product, databaseUrl } = fixture
    await addNotifiedPeople(
      fixture,
      people.map((login) => ({ login })),
    )
    await withClient(databaseUrl(), (database) => addSupportEmails(database, ALARM_KINDS))
    const load = startLoad(workplace, fixture, { perSecond: rate, answers: [] })

    // How often a kill came after the 250 of a Message-ID and before the product noted it.
    const inWindow = new Map<string, number>()
    const windows: { isForced: boolean; mails: number }[] = []
    await pause(3000)
    for (let kill = 1; kill <= kills; kill += 1) {
      await pause(500 + Math.random() * 1500)
      const since = product.life.startedAt
      const isForced = kill % 2 === 0
      if (isForced) await killAfterTheAnswer(product, sink)
      else product.kill()
      const killedAt = Date.now()
      await product.ready({ since: killedAt })
      const ofThisLife = sink.taken.filter(({ at }) => at >= since && at <= killedAt + LAST_BYTES_MS)
      const cut = await withClient(databaseUrl(), (database) => unnoted(database, ofThisLife))
      for (const messageId of cut) inWindow.set(messageId, (inWindow.get(messageId) ?? 0) + 1)
      windows.push({ isForced, mails: cut.size })
      if (kill % 10 === 0) console.log(`kill ${kill}: ${sink.taken.length} mails taken`)
    }
    await settleFixture(fixture, { load, verdict })
    console.log('waiting for mails that were in flight in a server that died: two minutes each')
    const left = await untilSent(databaseUrl, AGAIN_MS)

    const found = await withClient(databaseUrl(), (database) => compareMails(database, { people, taken: sink.taken }))
    const outside = [...found.repeats].filter(([messageId, times]) => times > (inWindow.get(messageId) ?? 0))
    const repeated = [...found.repeats.values()].reduce((sum, times) => sum + times, 0)
    const forced = windows.filter(({ isForced }) => isForced).map(({ mails }) => mails)
    const random = windows.filter(({ isForced }) => !isForced).map(({ mails }) => mails)
    const closings = await withClient(databaseUrl(), (database) => unfinishedClosings(database, sink.taken))
    verdict.figure('mails expected', found.expected)
    verdict.figure('mails taken', found.taken)
    verdict.atMost('mails that still wait', { figure: left, most: 0 })
    verdict.atMost('mails lost', { figure: found.lost.length, most: 0 })
    verdict.atMost('mails that nobody expected', { figure: found.strange.length, most: 0 })
    verdict.atMost('second mails with another Message-ID', { figure: found.twice.length, most: 0 })
    verdict.atMost('repeats outside of the window', { figure: outside.length, most: 0 })
    verdict.atMost('mails in the window of a forced kill, most', { figure: Math.max(0, ...forced), most: 1 })
    verdict.check('kills that met the window, of those forced into it', {
      figure: forced.filter((mails) => mails > 0).length,
      goal: `all ${forced.length}`,
      passed: forced.every((mails) => mails > 0),
    })
    verdict.atMost('mails in the window of a random kill, most', { figure: Math.max(0, ...random), most: CONNECTIONS })
    verdict.figure('random kills that met the window', random.filter((mails) => mails > 0).length)
    verdict.figure('repeats with the same Message-ID', repeated)
    verdict.atMost('mails that close their event, which is open', { figure: closings, most: 0 })
    verdict.memory(product.peakRss)
    for (const key of found.lost.slice(0, 5)) console.log(`  lost: ${key}`)
    for (const key of found.twice.slice(0, 5)) console.log(`  twice: ${key}`)
    for (const [messageId, times] of outside.slice(0, 5)) console.log(`  repeated outside: ${messageId}, ${times}`)
  },
})

/**
 * Lets one answer be sent that the product never reads: its process is stopped before the answer is written, and killed
 * after.
 */
async function killAfterTheAnswer(product: Product, sink: MailSink): Promise<void> {
  const isHeld = Promise.withResolvers<void>()
  const held: ((mayTake: boolean) => void)[] = []
  sink.behaviour = {
    mayTake() {
      const answer = Promise.withResolvers<boolean>()
      held.push(answer.resolve)
      isHeld.resolve()
      return answer.promise
    },
  }
  await isHeld.promise
  await pause(NOTED_MS)
  const before = sink.taken.length
  process.kill(product.life.pid, 'SIGSTOP')
  held.shift()?.(true)
  while (sink.taken.length === before) await pause(1)
  product.kill()
  sink.behaviour = {}
  for (const answer of held) answer(false)
}

async function untilSent(databaseUrl: () => string, withinMs: number): Promise<number> {
  const until = Date.now() + withinMs
  for (;;) {
    const waiting = await withClient(databaseUrl(), countWaiting)
    if (waiting === 0 || Date.now() > until) return waiting
    await pause(1000)
  }
}

/** Counts the events that are open although a support e-mail should have closed them and nobody has claimed them. */
async function unfinishedClosings(
  database: Parameters<typeof countWaiting>[0],
  taken: readonly TakenMail[],
): Promise<number> {
  const events = taken
    .filter(({ to }) => to.startsWith('contact@'))
    .map(({ subject }) => /ORC-(\d+)/.exec(subject)?.[1])
  const { rows } = await database.query<{ open: number }>(
    `SELECT count(*)::int AS open FROM service_event e JOIN instrument i ON i.id = e.instrument_id
     JOIN support_email_template t ON t.instrument_type = i.type AND t.template_id = e.template_id
     WHERE t.closes_event AND e.alert_status <> 3 AND e.id = ANY($1::bigint[])`,
    [events],
  )
  return rows[0]?.open ?? 0
}
