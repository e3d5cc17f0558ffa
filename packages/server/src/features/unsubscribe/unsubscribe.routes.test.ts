import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { inTransaction } from '../../db/transaction.ts'
import { readContent } from '../../testing/database-content.ts'
import { registerSampleFleet, type SampleFleet } from '../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'
import { verifyAuditLog } from '../audit/audit.queries.ts'
import { createLiveToken, createSession } from '../auth/session/session.store.ts'
import { newExportLink } from '../exports/export-link.ts'
import { unsubscribeTasks } from './unsubscribe.service.ts'
import { readUnsubscribed } from './unsubscribe.store.ts'
import { newUnsubscribeLinks } from './unsubscribe-link.ts'

let database: TestDatabase
let server: TestApp
let fleet: SampleFleet
let person: number

const CONTACT = 'maria.oberg@helixbio.example'
const days = (count: number) => new Date(TEST_NOW.getTime() + count * 86_400_000)

beforeAll(async () => {
  database = await testDatabase()
  fleet = await registerSampleFleet(database, TEST_NOW)
  person = await addSamplePerson(database, { login: 'sven@benchwatch.example' })
  server = await testApp(database)
})
afterAll(() => server.close())

beforeEach(async () => {
  server.clock.set(TEST_NOW)
  for (const table of ['support_email_unsubscription', 'unsubscribe_link', 'rate_use'] as const) {
    await database.db.deleteFrom(table).execute()
  }
})

/** Creates a link about an error of the first instrument and returns its token. */
async function newLink({ templateId = 'U9-M-2011', at = TEST_NOW } = {}): Promise<string> {
  const link = { eventId: 104882, contactEmail: CONTACT, instrumentId: fleet.instruments.first, templateId }
  const [token] = await inTransaction(database.db, (trx) =>
    newUnsubscribeLinks(trx, {
      at,
      links: [{ ...link, componentName: 'UV monitor (U9-M)' }],
    }),
  )
  if (token === undefined) throw new Error('No link was made.')
  return token
}

const look = (token: string) => server.call('getUnsubscribeInformation', { query: { token } })
const post = (token: string, unsubscribeDays: 30 | null) =>
  server.call('unsubscribe', { body: { token, unsubscribeDays } })
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const click = (token: string, headers: Record<string, string> = FORM, body: string = 'List-Unsubscribe=One-Click') =>
  server.call('unsubscribeOneClick', { query: { token }, headers, body })
const untilOf = async (token: string) => {
  const { body } = await look(token)
  return [body.isUnsubscribed, body.unsubscribedUntil]
}

describe('a link of an e-mail', () => {
  it('has 43 characters, and the database only its hash', async () => {
    const token = await newLink()
    expect(token).toMatch(/^[\w-]{43}$/)
    const row = await database.db.selectFrom('unsubscribe_link').selectAll().executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toContain(token)
    expect(row).toMatchObject({ event_id: 104882, contact_email: CONTACT, expires_at: days(7), used_at: null })
  })

  it('shows what it would end, and reading it changes nothing', async () => {
    const token = await newLink()
    const before = await content()
    const { status, body, headers } = await look(token)
    expect([status, headers['cache-control'], headers['referrer-policy']]).toEqual([200, 'no-store', 'no-referrer'])
    expect(body).toEqual({
      eventTemplateId: 'U9-M-2011',
      instrumentProductDescription: 'ÄKTA pilot 600',
      instrumentDefinedSystemName: 'PILOT-UPP-02',
      errorCode: '2011',
      componentName: 'UV monitor (U9-M)',
      instrumentType: 'AKTAPilot600',
      isUnsubscribed: false,
      unsubscribedUntil: null,
    })
    expect(await content()).toEqual(before)
  })

  it('does not show the name that a later customer gave the instrument', async () => {
    const token = await newLink()
    const instrument = database.db.updateTable('instrument').where('id', '=', fleet.instruments.first)
    await instrument.set({ customer_since: days(1) }).execute()
    expect((await look(token)).body).toMatchObject({
      instrumentDefinedSystemName: null,
      componentName: 'UV monitor (U9-M)',
    })
    await instrument.set({ customer_since: Number.NEGATIVE_INFINITY }).execute()
  })

  it('is good for 7 days', async () => {
    const token = await newLink()
    server.clock.set(new Date(days(7).getTime() - 1))
    expect((await look(token)).status).toBe(200)
    server.clock.set(days(7))
    expect((await look(token)).status).toBe(404)
    expect((await post(token, null)).status).toBe(404)
    expect((await click(token)).status).toBe(404)
  })

  it('is deleted 30 days after its end', async () => {
    await newLink()
    const [task] = unsubscribeTasks({ db: database.db, clock: server.clock })
    const left = () => database.db.selectFrom('unsubscribe_link').execute()
    server.clock.set(days(37))
    await task?.run()
    expect(await left()).toHaveLength(1)
    server.clock.advance(1)
    await task?.run()
    expect(await left()).toHaveLength(0)
  })
})

describe('unsubscribing by the page', () => {
  it('for 30 days ends by itself', async () => {
    const token = await newLink()
    const later = await newLink({ at: days(28) })
    expect(await post(token, 30)).toMatchObject({ status: 200, body: { unsubscribedUntil: days(30).toISOString() } })
    expect(await untilOf(token)).toEqual([true, days(30).toISOString()])
    const warning = { contactEmail: CONTACT, instrumentId: fleet.instruments.first, templateId: 'U9-M-2011' }
    const wants = async (now: Date) => {
      const hasUnsubscribed = await readUnsubscribed(database.db, { warnings: [warning], now })
      return !hasUnsubscribed(warning)
    }
    expect(await wants(new Date(days(30).getTime() - 1))).toBe(false)
    expect(await wants(days(30))).toBe(true)
    server.clock.set(days(30))
    expect(await untilOf(later)).toEqual([false, null])
    // Starts a new period.
    expect((await post(later, 30)).body).toEqual({ unsubscribedUntil: days(60).toISOString() })
    expect(await rows()).toMatchObject([{ created_at: days(30), until: days(60) }])
  })

  it('takes 30 days or for good, and nothing else', async () => {
    const token = await newLink()
    for (const days of [0, 7, 31, '30', undefined])
      expect((await post(token, days as never)).problem.code).toBe('validation-failed')
    expect(await rows()).toEqual([])
  })

  it('holds for this contact, instrument and error alone', async () => {
    await post(await newLink(), null)
    const held = { contactEmail: CONTACT, instrumentId: fleet.instruments.first, templateId: 'U9-M-2011' }
    const others = [
      { ...held, contactEmail: 'other@helixbio.example' },
      { ...held, instrumentId: fleet.instruments.second },
      { ...held, templateId: 'U9-M-2012' },
    ]
    const hasUnsubscribed = await readUnsubscribed(database.db, { warnings: [held, ...others], now: TEST_NOW })
    expect([held, ...others].map(hasUnsubscribed)).toEqual([true, false, false, false])
    // Addresses that differ only in case are one mailbox.
    const inCapitals = { ...held, contactEmail: CONTACT.toUpperCase() }
    expect((await readUnsubscribed(database.db, { warnings: [inCapitals], now: TEST_NOW }))(inCapitals)).toBe(true)
    expect(await untilOf(await newLink({ templateId: 'U9-M-2012' }))).toEqual([false, null])
  })

  it('a repeat changes nothing, whenever it comes and however many at once', async () => {
    const token = await newLink()
    const answers = await Promise.all(Array.from({ length: 8 }, () => post(token, 30)))
    server.clock.set(days(3))
    answers.push(await post(token, 30))
    expect(answers.map(({ status, body }) => [status, body.unsubscribedUntil])).toEqual(
      answers.map(() => [200, days(30).toISOString()]),
    )
    expect(await rows()).toMatchObject([{ contact_email: CONTACT, created_at: TEST_NOW, until: days(30) }])
    expect(await recorded()).toHaveLength(1)
  })

  it('for good stays for good, and the longer of two wins', async () => {
    const [first, second] = [await newLink(), await newLink()]
    await post(first, 30)
    server.clock.set(days(2))
    expect((await post(second, 30)).body).toEqual({ unsubscribedUntil: days(32).toISOString() })
    expect((await post(first, 30)).body).toEqual({ unsubscribedUntil: days(32).toISOString() })
    expect((await post(second, null)).body).toEqual({ unsubscribedUntil: null })
    expect((await post(first, 30)).body).toEqual({ unsubscribedUntil: null })
    expect(await untilOf(first)).toEqual([true, null])
    expect(await rows()).toMatchObject([{ created_at: TEST_NOW, until: null }])
  })

  it('is recorded by the system with the contact and the event, and the record stays whole', async () => {
    await post(await newLink(), 30)
    await post(await newLink(), null)
    const actor = { actor_type: 'system', actor_name: 'Automatic', action: 'unsubscribed', property: 'until' }
    const reason = `By the link in the e-mail to ${CONTACT} about event 104882`
    const until = days(30).toISOString()
    expect(await recorded()).toMatchObject([
      { ...actor, old_value: null, new_value: until, reason },
      { ...actor, old_value: until, new_value: 'for good', reason },
    ])
    expect((await verifyAuditLog(database.db)).findings).toEqual([])
  })
})

describe('unsubscribing by one click in the mail program', () => {
  it('is for good, needs no sign-in, sets no cookie, redirects nowhere, and may be repeated', async () => {
    const token = await newLink()
    await post(token, 30)
    for (const body of ['List-Unsubscribe=One-Click', 'List-Unsubscribe=One-Click', '']) {
      const { status, headers, body: answer } = await click(token, FORM, body)
      expect([status, answer, headers['set-cookie'], headers.location]).toEqual([
        200,
        { unsubscribedUntil: null },
        undefined,
        undefined,
      ])
    }
    expect(await untilOf(token)).toEqual([true, null])
  })

  it.each([
    ['as a form of several parts', { 'content-type': 'multipart/form-data; boundary=x' }],
    ['as plain text', { 'content-type': 'text/plain' }],
    [
      'by a mail program in a page of another site',
      { ...FORM, origin: 'https://mail.example', 'sec-fetch-site': 'cross-site' },
    ],
  ])('is taken %s', async (_how, headers) => {
    expect((await click(await newLink(), headers)).status).toBe(200)
  })

  it('is taken without a body', async () => {
    const { statusCode } = await server.app.http.inject({
      method: 'POST',
      url: `/api/unsubscribe/one-click?token=${await newLink()}`,
    })
    expect(statusCode).toBe(200)
  })

  it('is refused as JSON, which no mail program sends, and unsubscribes from nothing', async () => {
    const token = await newLink()
    const answer = await click(token, { 'content-type': 'application/json' }, '{}')
    expect([answer.status, answer.problem.code]).toEqual([415, 'unsupported-media-type'])
    expect(await untilOf(token)).toEqual([false, null])
  })

  it('opened as a link it leads to the page, and changes nothing', async () => {
    const token = await newLink()
    const before = await content()
    const { statusCode, headers } = await server.app.http.inject(`/api/unsubscribe/one-click?token=${token}`)
    expect([statusCode, headers.location]).toEqual([302, `${server.config.publicUrl}/unsubscribe?token=${token}`])
    expect(await content()).toEqual(before)
  })
})

describe('a token that is no link’s is answered alike, whatever is wrong with it', () => {
  const foreign: [string, () => Promise<string> | string][] = [
    ['nothing', () => ''],
    ['an invented one', () => randomBytes(32).toString('base64url')],
    ['a truncated one', async () => (await newLink()).slice(0, 42)],
    ['one with a letter more', async () => `${await newLink()}A`],
    ['one in another case', async () => (await newLink()).toUpperCase()],
    ['one of 70 characters', () => 'a'.repeat(70)],
    [
      'its hash',
      async () => {
        await newLink()
        const { token_hash } = await database.db.selectFrom('unsubscribe_link').selectAll().executeTakeFirstOrThrow()
        return token_hash.toString('base64url')
      },
    ],
    ['SQL', () => "' OR true --"],
    ['NUL', () => '\u0000'],
    ['half a surrogate pair', () => '\ud800'],
    ['an export link', async () => (await newExportLink(database.db)).token],
    ['a refresh token', async () => (await createSession(parts(), { userId: person })).refreshToken],
    ['a token of the live connection', async () => createLiveToken(database.db, (await session()).id)],
    ['one that has expired', () => newLink({ at: days(-7) })],
    [
      'one that was deleted',
      async () => {
        const token = await newLink()
        await database.db.deleteFrom('unsubscribe_link').execute()
        return token
      },
    ],
  ]
  const parts = () => ({ db: database.db, clock: server.clock, config: server.config })
  async function session() {
    await createSession(parts(), { userId: person })
    return database.db.selectFrom('session').select('id').executeTakeFirstOrThrow()
  }

  test.each(foreign)('%s: not valid, and answered as all others', async (_what, make) => {
    const token = await make()
    const before = await content()
    for (const { status, problem } of [await look(token), await post(token, 30), await click(token)]) {
      expect({ ...problem, requestId: '' }).toEqual({
        type: 'urn:benchwatch:error:unsubscribe-token',
        title: 'Invalid link',
        status,
        detail:
          'This link is not valid: unsubscribe links work for 7 days. Use the link in a newer e-mail, or contact support.',
        ErrorBody: problem.detail,
        code: 'unsubscribe-token',
        requestId: '',
      })
      expect(status).toBe(404)
    }
    expect(await content()).toEqual(before)
  })

  it.each([71, 8000])('but one of %d characters is refused as every text over its limit is', async (length) => {
    const token = 'a'.repeat(length)
    for (const { status, problem } of [await look(token), await post(token, 30), await click(token)]) {
      expect([status, problem.code, problem.errors?.map(({ path }) => path)]).toEqual([
        400,
        'validation-failed',
        [expect.stringMatching(/^(query|body)\.token$/)],
      ])
    }
  })

  it('50 times a minute for an address; right ones pass all the same', async () => {
    const right = await newLink()
    const ask = async (remoteAddress: string, token: string) => {
      const answer = await server.app.http.inject({ url: `/api/unsubscribe?token=${token}`, remoteAddress })
      return [answer.statusCode, answer.headers['retry-after']]
    }
    for (let count = 0; count < 50; count += 1) expect((await ask('203.0.113.5', 'wrong'))[0]).toBe(404)
    server.clock.advance(15_000)
    expect(await ask('203.0.113.5', 'wrong')).toEqual([429, '45'])
    expect(await ask('203.0.113.5', right)).toEqual([200, undefined])
    expect(await ask('203.0.113.6', 'wrong')).toEqual([404, undefined])
    server.clock.advance(45_000)
    expect((await ask('203.0.113.5', 'wrong'))[0]).toBe(404)
  })
})

it('no token is in the log, whatever its level', async () => {
  const told = await testApp(database, { logLevel: 'trace' })
  const [right, wrong] = [await newLink(), randomBytes(32).toString('base64url')]
  for (const token of [right, wrong]) {
    await told.call('getUnsubscribeInformation', { query: { token } })
    await told.call('unsubscribe', { body: { token, unsubscribeDays: 30 } })
    await told.call('unsubscribeOneClick', { query: { token }, headers: FORM, body: '' })
    await told.call('unsubscribeOneClick', { query: { token }, headers: { 'content-type': 'text/csv' }, body: '' })
    await told.app.http.inject(`/api/unsubscribe/one-click?token=${token}`)
    await told.app.http.inject(`/unsubscribe?token=${token}`)
  }
  expect(told.logged()).toContain('/api/unsubscribe/one-click')
  expect(told.logged()).not.toContain(right)
  expect(told.logged()).not.toContain(wrong)
  await told.close()
})

const rows = () => database.db.selectFrom('support_email_unsubscription').selectAll().execute()

async function recorded() {
  const [row] = await rows()
  return database.db
    .selectFrom('audit')
    .selectAll()
    .where('entity_type', '=', 'support_email_unsubscription')
    .where('entity_id', '=', String(row?.id))
    .orderBy('entity_seq')
    .execute()
}

/** Tables that the product itself writes in the meantime, and counters of refused requests. */
const unrelated = new Set([
  ...['audit_seal', 'audit_unsealed', 'rate_use', 'signing_key'],
  ...['job_outbox', 'live_message', 'live_outbox', 'live_sequence'],
])

/** Returns all rows of all other tables. */
async function content() {
  const { tables } = await readContent(database.owner)
  return Object.entries(tables).filter(([name]) => !unrelated.has(name))
}
