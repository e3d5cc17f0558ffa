import { setTimeout as pause } from 'node:timers/promises'
import { percentile } from '../../measure/percentiles.ts'
import { withClient } from '../../product/database.ts'
import { type Fixture, openFixture, settleFixture, startLoad } from '../load/fixture.ts'
import { compareMails, countWaiting } from '../messages/mail-comparison.ts'
import { type MailBehaviour, MailSink } from '../messages/mail-sink.ts'
import { addNotifiedPeople, type NotifiedPerson } from '../messages/notified-people.ts'
import { type Answer, jsonOf } from '../product/http-client.ts'
import { runFault } from '../script/fault-script.ts'

const people = ['anna@benchwatch.example', 'bo@benchwatch.example']
/** A mailbox that no server knows. */
const unknown = 'nobody@benchwatch.example'
/** Allowed beside ten percent: the variation of requests on two busy cores. */
const NOISE_MS = 3
const DRAIN_MS = 300_000

interface Phase {
  name: string
  from: number
  to: number
}

/**
 * A mail server has every kind of trouble, one after the other, and is then down, while gateways continue to report.
 * Ingest is not slowed, each e-mail is sent once, a refused one is shown on its event, and the backlog shrinks soon.
 */
await runFault({
  name: 'mail-server-trouble',
  parameters: { seconds: 45, reply: 30, down: 120, rate: 10, gateways: 10 },
  async run({ workplace, verdict, parameters: { seconds, reply, down, rate, gateways } }) {
    const sink = await MailSink.start(workplace)
    const fixture = await openFixture(workplace, {
      gateways,
      env: { SMTP_URL: sink.url, NOTIFICATION_MAILS_PER_HOUR: '0', GATEWAY_SILENCE_SECONDS: '0' },
    })
    const { product, databaseUrl } = fixture
    const notified = await addNotifiedPeople(
      fixture,
      [...people, unknown].map((login) => ({ login })),
    )
    const answers: Answer[] = []
    const load = startLoad(workplace, fixture, { perSecond: rate, answers })
    const phases: Phase[] = []
    const phase = async (name: string, trouble: MailBehaviour, lasts = seconds) => {
      sink.behaviour = refusingUnknown(trouble)
      const from = Date.now()
      await pause(lasts * 1000)
      phases.push({ name, from, to: Date.now() })
      console.log(`${name}: ${sink.taken.length} mails taken so far`)
    }

    sink.behaviour = refusingUnknown({})
    // The first requests of a server are slower than all others.
    await pause(10_000)
    await phase('well', {}, 2 * seconds)
    await phase('slow', { replyMs: reply * 1000 }, Math.max(seconds, 4 * reply))
    await phase('421', { trouble: (step) => (step === 'MAIL' ? 421 : null) })
    await phase('451', { trouble: (step) => (step === 'END' ? 451 : null) })
    await phase('drop', { trouble: (step) => (step === 'DATA' ? 'drop' : null) })
    await phase('well again', {})
    await sink.stop()
    await phase('down', {}, down)
    const backlog = await withClient(databaseUrl(), countWaiting)
    await sink.start()
    const backAt = Date.now()
    const drained = await untilDrained(sink, { since: backAt, databaseUrl })
    phases.push({ name: 'backlog leaves', from: backAt, to: Date.now() })
    await settleFixture(fixture, { load, verdict })
    await untilDrained(sink, { since: Date.now(), databaseUrl })

    const found = await withClient(databaseUrl(), (database) => compareMails(database, { people, taken: sink.taken }))
    verdict.figure('mails expected', found.expected)
    verdict.figure('mails taken', found.taken)
    verdict.atMost('mails lost', { figure: found.lost.length, most: 0 })
    verdict.atMost('mails that nobody expected', { figure: found.strange.length, most: 0 })
    verdict.atMost('mails that came twice', { figure: found.taken - found.expected, most: 0 })
    verdict.figure('mails whose 250 nobody waited for', sink.unheard)
    verdict.figure('backlog when the server was back', backlog)
    verdict.atMost('backlog gone after', { figure: drained / 1000, most: DRAIN_MS / 1000, unit: 's' })
    judgeIngest(verdict, { phases, answers })
    await judgeRefused(verdict, { fixture, refused: notified.find(({ login }) => login === unknown) })
    verdict.memory(product.peakRss)
    for (const key of found.lost.slice(0, 5)) console.log(`  lost: ${key}`)
    for (const [messageId, times] of [...found.repeats].slice(0, 5)) console.log(`  repeated: ${messageId}, ${times}`)
  },
})

function refusingUnknown({ trouble, ...rest }: MailBehaviour): MailBehaviour {
  return {
    ...rest,
    trouble: (step, to) => (step === 'RCPT' && to === unknown ? 550 : (trouble?.(step, to) ?? null)),
  }
}

/** Waits until all messages from before `since` are sent, while new ones arrive. Returns the milliseconds. */
async function untilDrained(
  sink: MailSink,
  { since, databaseUrl }: { since: number; databaseUrl: () => string },
): Promise<number> {
  for (let printedAt = 0; Date.now() - since < 2 * DRAIN_MS; ) {
    const waiting = await withClient(databaseUrl(), async (database) => {
      const { rows } = await database.query<{ waiting: number }>(
        `SELECT count(*)::int AS waiting FROM outbound_message
         WHERE sent_at IS NULL AND failed_at IS NULL AND created_at < $1`,
        [new Date(since)],
      )
      return rows[0]?.waiting ?? 0
    })
    if (waiting === 0) return Date.now() - since
    if (Date.now() - printedAt > 30_000) {
      printedAt = Date.now()
      console.log(`  ${waiting} of the backlog wait, ${sink.taken.length} mails taken`)
    }
    await pause(500)
  }
  return Number.POSITIVE_INFINITY
}

/** Checks that gateways are answered as fast in each kind of trouble as while the mail server works. */
function judgeIngest(
  verdict: Parameters<Parameters<typeof runFault>[0]['run']>[0]['verdict'],
  { phases, answers }: { phases: readonly Phase[]; answers: readonly Answer[] },
): void {
  const p95 = ({ from, to }: Phase) =>
    percentile(
      answers.filter(({ startedAt }) => startedAt >= from && startedAt < to).map(({ tookMs }) => tookMs),
      0.95,
    ) ?? Number.POSITIVE_INFINITY
  const well = phases.find(({ name }) => name === 'well')
  const usual = well ? p95(well) : 0
  verdict.figure('ingest p95 while the mail server is well ms', usual)
  for (const phase of phases.filter(({ name }) => name !== 'well')) {
    verdict.atMost(`ingest p95, ${phase.name}`, {
      figure: p95(phase),
      most: Math.round((usual * 1.1 + NOISE_MS) * 10) / 10,
      unit: 'ms',
    })
  }
  verdict.atMost('batches that were not taken at once', {
    figure: answers.filter(({ status }) => status !== 200).length,
    most: 0,
  })
}

/** Checks that each permanently refused e-mail was tried once and that its event says so. */
async function judgeRefused(
  verdict: Parameters<Parameters<typeof runFault>[0]['run']>[0]['verdict'],
  { fixture: { client, token, databaseUrl }, refused }: { fixture: Fixture; refused: NotifiedPerson | undefined },
): Promise<void> {
  const { rows } = await withClient(databaseUrl(), (database) =>
    database.query<{ event: string; is_parked: boolean }>(
      `SELECT n.event_id::text AS event, m.failed_at IS NOT NULL AS is_parked
       FROM notification n JOIN outbound_message m ON m.id = n.message_id WHERE n.user_id = $1 ORDER BY n.id`,
      [refused?.id],
    ),
  )
  verdict.figure('mails refused for good', rows.length)
  verdict.atMost('of them not given up', { figure: rows.filter(({ is_parked }) => !is_parked).length, most: 0 })
  const shown: string[] = []
  for (const { event } of [rows.at(0), rows.at(-1)].flatMap((row) => row ?? [])) {
    const answer = await client.send({ method: 'GET', path: `/api/alarms/${event}/notifications`, token })
    const { values } = jsonOf<{ values: { userId: string; state: string; reason: string | null }[] }>(answer)
    const one = values.find(({ userId }) => userId === refused?.id)
    shown.push(`${one?.state}: ${one?.reason}`)
  }
  verdict.check('what the event says of them', {
    figure: shown[0] ?? null,
    goal: 'failed, and why',
    passed: shown.length === 2 && shown.every((words) => /^failed: .+/.test(words) && !words.endsWith('null')),
  })
}
