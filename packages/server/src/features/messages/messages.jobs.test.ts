import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { inTransaction } from '../../db/transaction.ts'
import type { Log } from '../../platform/log.ts'
import { type MailServer, startMailServer } from '../../testing/emulators/mail-server.ts'
import { buildEventFixture } from '../../testing/event-fixture.ts'
import { eventually } from '../../testing/eventually.ts'
import { TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'
import type { OutgoingMail } from '../outgoing-messages.ts'
import { createTransports } from './message-transports.ts'
import { messageJobs, messageTasks, retryTime } from './messages.jobs.ts'
import { hasDueMessage } from './messages.store.ts'

const MINUTE = 60_000
const DAY = 86_400_000
const mail: OutgoingMail = {
  channel: 'email',
  to: 'anna@helixbio.example',
  subject: 'Pump stopped',
  text: 'The pump stopped.',
  html: '<p>The pump stopped.</p>',
  template: 'notice',
}

let database: TestDatabase
let server: MailServer
let apps: TestApp[] = []
beforeAll(async () => {
  database = await testDatabase()
})
beforeEach(async () => {
  server = await startMailServer()
  await database.db.deleteFrom('outbound_message').execute()
  await database.pool.query('DELETE FROM job_outbox')
  await database.pool.query('DELETE FROM graphile_worker._private_jobs')
})
afterEach(async () => {
  await Promise.all(apps.map((app) => app.close()))
  apps = []
  await server.close()
})

async function start(environment: Record<string, string> = { SMTP_URL: server.url }): Promise<TestApp> {
  const app = await testApp(database, { environment: { PUBLIC_URL: 'https://console.example.com', ...environment } })
  apps.push(app)
  return app
}
async function stop(app: TestApp): Promise<void> {
  apps = apps.filter((other) => other !== app)
  await app.close()
}
const queue = (app: TestApp, ...messages: Partial<OutgoingMail>[]) =>
  inTransaction(database.db, (trx) =>
    app.app.messages.queue(
      trx,
      (messages.length > 0 ? messages : [{}]).map((message) => ({ ...mail, ...message })),
      app.clock.now(),
    ),
  )
const stored = () => database.db.selectFrom('outbound_message').selectAll().orderBy('id').execute()
const waitUntil = async (expected: object) =>
  eventually(async () => expect(await stored()).toEqual([expect.objectContaining(expected)]))
/** Runs the leader's scheduled tasks once. */
async function knock(app: TestApp): Promise<void> {
  const { log } = app.app.http
  const sending = {
    db: database.db,
    clock: app.clock,
    config: app.config,
    transports: await createTransports(app.config),
    hooks: [],
  }
  for (const task of messageTasks({ ...sending, log: log as Log })) await task.run()
}
const jobs = async () =>
  (await database.pool.query('SELECT 1 FROM graphile_worker._private_jobs UNION ALL SELECT 1 FROM job_outbox')).rowCount

describe('an e-mail', () => {
  it('leaves after the commit, once, as an automatic e-mail with an id of its own', async () => {
    const app = await start()
    await queue(app, { headers: { 'List-Unsubscribe': '<https://console.example.com/x>' } })
    await waitUntil({ sent_at: TEST_NOW, attempts: 1, last_error: null, subject: mail.subject })
    const [row] = await stored()
    const [{ parsed, recipients }] = server.mails as [MailServer['mails'][number]]
    expect(server.mails).toHaveLength(1)
    expect(recipients).toEqual([mail.to])
    expect(parsed.messageId).toBe(`<outbound.${row?.id}@console.example.com>`)
    expect(parsed.headers.get('auto-submitted')).toBe('auto-generated')
    expect(parsed.headers.has('list')).toBe(true)
  })

  it('of a transaction that is rolled back does not exist', async () => {
    const app = await start()
    await inTransaction(database.db, async (trx) => {
      await app.app.messages.queue(trx, [mail], TEST_NOW)
      throw new Error('no')
    }).catch(() => undefined)
    expect(await stored()).toEqual([])
    expect(await jobs()).toBe(0)
  })

  it('is written with one job for all e-mails of its transaction', async () => {
    const app = await start({})
    await stop(app)
    await queue(app, ...Array.from({ length: 2500 }, () => mail))
    expect(await stored()).toHaveLength(2500)
    expect(await jobs()).toBe(1)
  })

  it('whose key was used already is a repeat and left out', async () => {
    const app = await start()
    await queue(app, { dedupeKey: 'event 7' }, { dedupeKey: 'event 7' })
    await queue(app, { dedupeKey: 'event 7' })
    await waitUntil({ sent_at: TEST_NOW })
    expect(server.mails).toHaveLength(1)
  })

  it('that the server wants later is tried again then, with the same id', async () => {
    server.answers.RCPT.push(451)
    const app = await start()
    await queue(app)
    await waitUntil({ last_failure: 'deferred', sent_at: null, next_attempt_at: new Date(TEST_NOW.getTime() + MINUTE) })
    await knock(app)
    expect(server.mails).toHaveLength(0)
    app.clock.advance(MINUTE)
    await knock(app)
    await waitUntil({ sent_at: app.clock.now(), attempts: 2, last_failure: null, last_error: null })
    const [row] = await stored()
    expect(server.mails.map(({ parsed }) => parsed.messageId)).toEqual([`<outbound.${row?.id}@console.example.com>`])
  })

  it('that is refused is given up, logged without address and content, and no secret of it is kept', async () => {
    server.answers.RCPT.push(550)
    const app = await start()
    await queue(app, { isSecret: true, text: 'The code is 481516.' })
    await waitUntil({ failed_at: TEST_NOW, last_failure: 'refused', sent_at: null, text: null, html: null })
    expect((await stored())[0]?.last_error).toContain('550')
    await eventually(() => expect(app.logged()).toContain('message given up'))
    expect(app.logged()).not.toMatch(/helixbio|\b481516\b|Pump|secret@words/)
    // The job is marked as done shortly after its work.
    await eventually(async () => expect(await jobs()).toBe(0))
    app.clock.advance(60 * MINUTE)
    await knock(app)
    expect(await jobs()).toBe(0)
  })

  it('is given up a day after it was written, or when it is no longer useful', async () => {
    server.answers.RCPT.push(...Array.from({ length: 4 }, () => 451))
    const app = await start()
    await queue(app, {}, { giveUpAt: new Date(TEST_NOW.getTime() + 30_000) })
    await eventually(async () => expect((await stored()).map(({ failed_at }) => failed_at)).toEqual([null, TEST_NOW]))
    app.clock.advance(24 * 60 * MINUTE)
    await knock(app)
    await eventually(async () => expect((await stored())[0]?.failed_at).toEqual(app.clock.now()))
    expect(server.mails).toHaveLength(0)
  })

  it('that would come too late is not sent any more, and no secret of it is kept', async () => {
    const app = await start({})
    await queue(app, { isSecret: true, giveUpAt: new Date(TEST_NOW.getTime() + 10 * MINUTE) })
    app.clock.advance(10 * MINUTE)
    await knock(app)
    expect(await stored()).toMatchObject([{ failed_at: null, text: mail.text }])
    app.clock.advance(1)
    await knock(app)
    const error = 'It could not be sent in time.'
    expect(await stored()).toMatchObject([{ failed_at: app.clock.now(), text: null, last_error: error, attempts: 0 }])
    expect(app.logged()).toContain('could not be sent in time')
    await stop(app)
    await knock(await start())
    await eventually(async () => expect(await jobs()).toBe(0))
  })

  it('with a secret is wiped once a server has taken it', async () => {
    const app = await start()
    await queue(app, { isSecret: true })
    await waitUntil({ sent_at: TEST_NOW, subject: null, text: null, html: null, recipient: mail.to })
    expect(server.mails[0]?.parsed.text?.trim()).toBe(mail.text)
  })

  it('with a secret stays readable in the outbox of the demo', async () => {
    const app = await start({ DEMO: 'on' })
    await queue(app, { isSecret: true })
    await waitUntil({ sent_at: TEST_NOW, text: mail.text })
  })

  it('whose job was lost is found at the start', async () => {
    const app = await start({})
    await queue(app)
    await eventually(async () => expect(await jobs()).toBe(0))
    expect(await stored()).toMatchObject([{ sent_at: null, attempts: 0 }])
    await stop(app)
    await start()
    await waitUntil({ sent_at: TEST_NOW })
    expect(server.mails).toHaveLength(1)
  })

  it('of a process that died over it is taken up again with the same id', async () => {
    const app = await start({})
    await queue(app)
    await eventually(async () => expect(await jobs()).toBe(0))
    await stop(app)
    const taken = new Date(TEST_NOW.getTime() + 5 * MINUTE)
    await database.db.updateTable('outbound_message').set({ attempts: 1, next_attempt_at: taken }).execute()
    const other = await start()
    await knock(other)
    expect(await jobs()).toBe(0)
    other.clock.advance(5 * MINUTE)
    await knock(other)
    await waitUntil({ sent_at: taken, attempts: 2 })
    expect(server.mails).toHaveLength(1)
  })

  it('is sent once, however many processes send', async () => {
    const [one, other] = [await start(), await start()]
    await queue(one, ...Array.from({ length: 30 }, (_, n) => ({ to: `a${n}@helixbio.example` })))
    await queue(other, ...Array.from({ length: 30 }, (_, n) => ({ to: `b${n}@helixbio.example` })))
    await eventually(async () => expect((await stored()).filter(({ sent_at }) => sent_at)).toHaveLength(60))
    const recipients = server.mails.flatMap((taken) => taken.recipients)
    expect(recipients).toHaveLength(60)
    expect(new Set(recipients).size).toBe(60)
  })

  it('waits if no transport is configured, and the start says what to configure', async () => {
    const app = await start({})
    expect(app.logged()).toMatch(/SMTP_URL/)
    await queue(app)
    await knock(app)
    await eventually(async () => expect(await jobs()).toBe(0))
    expect(await stored()).toMatchObject([{ sent_at: null, attempts: 0 }])
  })
})

describe('a mail server that cannot be reached', () => {
  it('is busy for whoever would wait for an e-mail, once one has waited for two minutes, and until it is back', async () => {
    const app = await start()
    server.answers.MAIL.push(421, 421)
    await queue(app)
    await waitUntil({ last_failure: 'unreachable' })
    expect(await app.app.messages.isMailBusy()).toBe(false)
    app.clock.advance(2 * MINUTE + 1)
    expect(await app.app.messages.isMailBusy()).toBe(true)
    await knock(app)
    const soon = new Date(app.clock.now().getTime() + 30_000)
    await waitUntil({ attempts: 2, last_failure: 'unreachable', next_attempt_at: soon })
    app.clock.advance(30_000)
    await knock(app)
    await waitUntil({ attempts: 3, last_failure: null, sent_at: app.clock.now() })
    expect(await app.app.messages.isMailBusy()).toBe(false)
  })

  it('keeps all e-mails waiting without trying each', async () => {
    server.answers.MAIL.push(...Array.from({ length: 8 }, () => 421))
    const app = await start()
    await queue(app, ...Array.from({ length: 50 }, () => mail))
    await eventually(async () => expect(await jobs()).toBe(0))
    expect((await stored()).filter(({ attempts }) => attempts > 0).length).toBeLessThanOrEqual(8)
    app.clock.advance(MINUTE)
    server.answers.MAIL.length = 0
    await knock(app)
    await eventually(async () => expect((await stored()).every(({ sent_at }) => sent_at)).toBe(true))
    expect(server.mails).toHaveLength(50)
  })

  it('is always busy where there is none', async () => {
    expect(await (await start({})).app.messages.isMailBusy()).toBe(true)
  })
})

describe('a slow mail server', () => {
  it('does not delay text messages, and no other process sends its e-mail meanwhile', async () => {
    const app = await start({})
    await queue(app)
    await inTransaction(database.db, (trx) =>
      app.app.messages.queue(
        trx,
        [{ channel: 'sms', to: '+46701234567', text: 'Pump stopped', template: 'notice' }],
        TEST_NOW,
      ),
    )
    await eventually(async () => expect(await jobs()).toBe(0))
    const answered = Promise.withResolvers<void>()
    const texts: string[] = []
    const [job] = messageJobs({
      db: database.db,
      clock: app.clock,
      config: app.config,
      log: app.app.http.log as Log,
      hooks: [],
      keepMs: 10,
      transports: {
        mailer: { kind: 'smtp', send: () => answered.promise, close: () => undefined },
        smsSender: {
          kind: 'twilio',
          async send({ text }) {
            texts.push(text)
          },
        },
      },
    })
    const running = job?.run({}, new AbortController().signal)
    await eventually(() => expect(texts).toEqual(['Pump stopped']))
    for (let minutes = 0; minutes < 10; minutes += 1) {
      app.clock.advance(MINUTE)
      const soon = new Date(app.clock.now().getTime() + MINUTE)
      await eventually(async () =>
        expect((await stored())[0]?.next_attempt_at.getTime()).toBeGreaterThan(soon.getTime()),
      )
      expect(await hasDueMessage(database.db, { channels: ['email'], at: app.clock.now() })).toBe(false)
    }
    answered.resolve()
    await running
    expect(await stored()).toMatchObject([{ sent_at: app.clock.now(), attempts: 1 }, { attempts: 1 }])
  })

  it('delays only the e-mail that it is slow with, and the jobs of others end at once', async () => {
    const app = await start({})
    await queue(app, { to: 'slow@helixbio.example' })
    await eventually(async () => expect(await jobs()).toBe(0))
    const [answered, begun] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const [job] = messageJobs({
      db: database.db,
      clock: app.clock,
      config: app.config,
      log: app.app.http.log as Log,
      hooks: [],
      transports: {
        smsSender: null,
        mailer: {
          kind: 'smtp',
          close: () => undefined,
          async send({ to }) {
            begun.resolve()
            if (to.startsWith('slow')) await answered.promise
          },
        },
      },
    })
    const stop = new AbortController().signal
    const running = job?.run({}, stop)
    await begun.promise
    // The first of them may still meet a lane of the first job.
    for (const name of ['one', 'two', 'three']) {
      await queue(app, { to: `${name}@helixbio.example` })
      await job?.run({}, stop)
      await eventually(async () => expect((await stored()).at(-1)).toMatchObject({ sent_at: TEST_NOW }))
    }
    expect((await stored())[0]).toMatchObject({ sent_at: null })
    answered.resolve()
    await running
    expect((await stored())[0]).toMatchObject({ sent_at: TEST_NOW })
  })
})

describe('retry', () => {
  const NOW = new Date('2026-11-20T14:00:00.000Z')
  const giveUpAt = new Date('2026-11-21T14:00:00.000Z')
  const minutes = (attempts: number) => {
    const next = retryTime({ failure: 'deferred', attempts, giveUpAt }, NOW)
    return next && (next.getTime() - NOW.getTime()) / 60_000
  }

  it('waits 1, 2, 4 … 60 minutes for a message that is wanted later', () => {
    expect([1, 2, 3, 4, 5, 6, 7, 8, 30].map(minutes)).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60])
  })

  it('retries an unreachable transport soon, however often it failed', () => {
    expect(retryTime({ failure: 'unreachable', attempts: 500, giveUpAt }, NOW)).toEqual(
      new Date('2026-11-20T14:00:30.000Z'),
    )
  })

  it('gives up refused messages, and those whose next attempt would be too late', () => {
    expect(retryTime({ failure: 'refused', attempts: 1, giveUpAt }, NOW)).toBeNull()
    const soon = new Date(NOW.getTime() + 60_000)
    expect(retryTime({ failure: 'deferred', attempts: 1, giveUpAt: soon }, NOW)).toEqual(soon)
    expect(retryTime({ failure: 'deferred', attempts: 2, giveUpAt: soon }, NOW)).toBeNull()
  })
})

describe('an old message', () => {
  it('about no event is deleted 90 days after it was created; waiting ones and those about an event stay', async () => {
    const app = await start({})
    const message = (template: string, state: object) => ({
      channel: 'email' as const,
      recipient: 'anna@helixbio.example',
      template,
      headers: '{}',
      created_at: TEST_NOW,
      next_attempt_at: TEST_NOW,
      give_up_at: TEST_NOW,
      ...state,
    })
    const [shared] = await database.db
      .insertInto('outbound_message')
      .values([
        message('shared', { sent_at: TEST_NOW }),
        message('invitation', { sent_at: TEST_NOW }),
        message('refused', { failed_at: TEST_NOW }),
        message('waiting', { give_up_at: new Date(TEST_NOW.getTime() + 200 * DAY) }),
      ])
      .returning('id')
      .execute()
    const { eventIds } = await buildEventFixture(database.db, { events: 1, now: TEST_NOW })
    await database.db
      .insertInto('event_email')
      .values({
        event_id: eventIds[0] ?? 0,
        recipient: 'anna@helixbio.example',
        recipient_name: 'Anna',
        subject: 'Pump stopped',
        body: 'The pump stopped.',
        created_at: TEST_NOW,
        message_id: shared?.id ?? null,
      })
      .execute()
    app.clock.set(new Date(TEST_NOW.getTime() + 90 * DAY))
    await knock(app)
    expect(await stored()).toHaveLength(4)
    app.clock.advance(1)
    await knock(app)
    expect((await stored()).map(({ template }) => template)).toEqual(['shared', 'waiting'])
  })
})
