import type { SupportEmailTemplateInput } from '@benchwatch/contract/messages/support-emails'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addEvents } from '../../testing/many-events.ts'
import { registerSampleFleet, type SampleFleet } from '../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { testDatabase } from '../../testing/test-database.ts'

let server: TestApp
let fleet: SampleFleet
let admin: Caller
let support: Caller

const KEY = 'AKTAPilot600/P9B-1042'
const input: SupportEmailTemplateInput = {
  componentName: 'Pump B (P9-B)',
  subject: '{instrument}: pressure',
  body: 'Dear {contactName},\n\n{description}\n\n{troubleshooting}',
  troubleshooting: '<ul><li>Open the valve</li></ul>',
  closesEvent: true,
  underReview: false,
}

beforeAll(async () => {
  const database = await testDatabase()
  fleet = await registerSampleFleet(database, TEST_NOW)
  server = await testApp(database, { environment: { PUBLIC_URL: 'https://console.example.com' } })
  const { db } = database
  admin = await server.as(
    await addSamplePerson(database, { login: 'ada@benchwatch.example', name: 'Ada', role: 'admin' }),
  )
  support = await server.as(await addSamplePerson(database, { login: 'sam@benchwatch.example', role: 'support' }))
  await db.insertInto('feature_flag').values({ key: 'AUTO_EMAIL', user_id: null, value: true }).execute()
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.database.db.deleteFrom('support_email_template').execute()
  await server.database.db.deleteFrom('feature_flag').where('key', '=', 'NOTIFY_UNDER_REVIEW').execute()
})

const put = (over: Partial<typeof input> = {}, key = KEY, caller = admin) =>
  caller.call('putSupportEmailTemplate', { params: { '*': key }, body: { ...input, ...over } })
const get = (key = KEY) => admin.call('getSupportEmailTemplate', { params: { '*': key } })
const list = (query: object = {}) => admin.call('listSupportEmailTemplates', { query })
const preview = (over: Partial<typeof input> = {}, key = KEY) =>
  admin.call('previewSupportEmailTemplate', { body: { ...input, ...over, key } })
const record = async () => {
  const { rows } = await server.database.pool.query<{
    action: string
    property: string | null
    new_value: string | null
  }>("SELECT action, property, new_value FROM audit WHERE entity_type = 'support_email_template' ORDER BY id")
  return rows
}

describe('a template', () => {
  it('is made, replaced and deleted by an administrator, each with its record', async () => {
    const made = await put()
    expect([made.status, made.body]).toEqual([
      201,
      {
        ...input,
        key: KEY,
        instrumentType: 'AKTAPilot600',
        templateId: 'P9B-1042',
        updatedAt: TEST_NOW.toISOString(),
        updatedBy: 'Ada',
      },
    ])
    expect((await put({ underReview: true, troubleshooting: null })).status).toBe(200)
    expect((await put({ underReview: true, troubleshooting: null })).status).toBe(200)
    expect((await get()).body).toMatchObject({ underReview: true, troubleshooting: null })
    expect((await admin.call('deleteSupportEmailTemplate', { params: { '*': KEY } })).status).toBe(204)
    expect((await get()).status).toBe(404)
    expect((await admin.call('deleteSupportEmailTemplate', { params: { '*': KEY } })).status).toBe(404)
    expect(await record()).toMatchObject([
      { action: 'created' },
      { action: 'update', property: 'troubleshooting', new_value: null },
      { action: 'update', property: 'underReview', new_value: 'true' },
      { action: 'deleted' },
    ])
  })

  it('that two make at once is made once and replaced once', async () => {
    const answers = await Promise.all([put({ subject: 'One' }), put({ subject: 'Two' })])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 201])
  })

  it('is not replaced by a change that is based on an older version', async () => {
    const made = await put()
    const based = (etag: unknown, body: typeof input) =>
      admin.call('putSupportEmailTemplate', { params: { '*': KEY }, body, headers: { 'if-match': String(etag) } })
    const { etag } = (await get()).headers
    expect(etag).toBe(made.headers['etag'])
    expect((await based(etag, { ...input, subject: 'Pressure' })).status).toBe(200)
    expect(await based(etag, { ...input, closesEvent: false })).toMatchObject({
      status: 412,
      problem: { code: 'version-mismatch' },
    })
    expect((await get()).body).toMatchObject({ subject: 'Pressure', closesEvent: true })
  })

  it('takes no placeholder that nothing stands for, and names those it knows', async () => {
    for (const over of [{ subject: '{Instrument}' }, { body: 'Hello {contactName} {nope}' }]) {
      for (const answer of [await put(over), await preview(over)]) {
        expect(answer).toMatchObject({ status: 400, problem: { code: 'unknown-placeholder' } })
        expect(answer.problem.detail).toMatch(/\{(Instrument|nope)\}.*\{contactName\}/)
      }
    }
    expect((await get()).status).toBe(404)
  })

  it('keeps of its HTML what cannot run or load', async () => {
    await put({
      troubleshooting: '<p onclick="x()">Look</p><script>alert(1)</script><img src="https://x.example/a.png">',
    })
    expect((await get()).body.troubleshooting).toBe('<p>Look</p>')
    await put({ troubleshooting: '<script>alert(1)</script>' })
    expect((await get()).body.troubleshooting).toBeNull()
  })

  it.each([
    ['a subject of two lines', { subject: 'One\r\nBcc: all@x.example' }],
    ['no subject', { subject: '  ' }],
    ['a subject of 201 characters', { subject: 'x'.repeat(201) }],
    ['a body of 100 kB', { body: 'x'.repeat(100_000) }],
    ['no body', { body: '' }],
  ])('is refused with %s', async (_what, over) => {
    expect((await put(over)).problem).toMatchObject({ status: 400, code: 'validation-failed' })
  })

  it.each(['AKTAPilot600', 'ÄKTA/P9B-1042', 'AKTAPilot600/P9B', 'AKTAPilot600/P9B-1042/x'])(
    'has no name such as %s',
    async (key) => {
      expect([(await put({}, key)).status, (await get(key)).status]).toEqual([400, 400])
    },
  )

  it('is for administrators alone', async () => {
    for (const answer of [
      await put({}, KEY, support),
      await support.call('listSupportEmailTemplates', { query: {} }),
      await support.call('previewSupportEmailTemplate', { body: { ...input, key: KEY } }),
    ])
      expect(answer).toMatchObject({ status: 403, problem: { code: 'wrong-role' } })
  })
})

it('the list pages by type and template id, and finds any words, types and what is under review', async () => {
  await put({ subject: 'Ärger' }, 'UniFlux/A-2')
  await put({ componentName: 'Motor' }, 'AKTAPure/B-1')
  await put({ troubleshooting: '<p>Call the laboratory</p>', underReview: true }, 'AKTAPure/A-9')
  const keys = async (query: object) => {
    const { body } = await list(query)
    return [body.total, body.values.map(({ key }) => key)]
  }
  expect(await keys({})).toEqual([3, ['AKTAPure/A-9', 'AKTAPure/B-1', 'UniFlux/A-2']])
  expect(await keys({ limit: '1', offset: '1' })).toEqual([3, ['AKTAPure/B-1']])
  expect(await keys({ keyword: 'arger' })).toEqual([1, ['UniFlux/A-2']])
  expect(await keys({ keyword: 'laboratory the' })).toEqual([1, ['AKTAPure/A-9']])
  expect(await keys({ keyword: 'akta', instrumentType: 'UniFlux' })).toEqual([0, []])
  expect(await keys({ underReview: 'true' })).toEqual([1, ['AKTAPure/A-9']])
  expect(await keys({ instrumentType: 'AKTAPure', underReview: 'false' })).toEqual([1, ['AKTAPure/B-1']])
  expect(await keys({ offset: '9' })).toEqual([3, []])
})

describe('the preview', () => {
  it('is the e-mail about the newest event of the error, without queueing anything or making a link', async () => {
    const event = { instrumentId: fleet.instruments.first, count: 1 }
    await addEvents(server.database, { ...event, description: 'Old', createdAt: new Date(TEST_NOW.getTime() - 1000) })
    const [id] = await addEvents(server.database, { ...event, description: 'New <i>one</i>' })
    const { db } = server.database
    const count = async () => [
      (await db.selectFrom('outbound_message').select('id').execute()).length,
      (await db.selectFrom('unsubscribe_link').select('event_id').execute()).length,
    ]
    const before = await count()
    const { body, status } = await preview()
    expect([status, body.eventId, body.to, body.subject]).toEqual([
      200,
      id,
      'maria.oberg@helixbio.example',
      'ÄKTA pilot 600: pressure',
    ])
    expect(body.text).toContain('Dear Maria Öberg,\n\nNew <i>one</i>\n\n- Open the valve')
    expect(body.text).toContain('https://console.example.com/unsubscribe?token=preview')
    expect(body.html).toContain('New &lt;i&gt;one&lt;/i&gt;')
    expect(await count()).toEqual(before)
  })

  it('is about no event that the administrator may not see', async () => {
    await addEvents(server.database, { instrumentId: fleet.instruments.first, count: 1 })
    const login = 'nora@benchwatch.example'
    const nora = await addSamplePerson(server.database, { login, role: 'admin', scope: [fleet.customers.nordic] })
    const { body } = await (await server.as(nora)).call('previewSupportEmailTemplate', { body: { ...input, key: KEY } })
    expect(body).toMatchObject({ eventId: null, to: null })
    expect(body.text).toContain('Dear Example Contact,')
  })

  it('is about an invented event where there is none yet, and says so by its names', async () => {
    const { body } = await preview({ troubleshooting: '<script>x</script><b>Look</b>' }, 'UniFlux/A-2')
    expect(body).toMatchObject({ eventId: null, to: null, subject: 'Example UniFlux: pressure' })
    expect(body.text).toContain('Dear Example Contact,')
    expect(body.html).toContain('<b>Look</b>')
    expect(body.html).not.toContain('<script')
  })
})

describe('the subject of the e-mail about an error', () => {
  const subject = async (over: object = {}) => {
    const query = { instrumentType: 'AKTAPilot600', eisCode: 'P9B', errorCode: '1042', ...over } as const
    return (await support.call('getAutomaticEmailSubject', { query })).body.subject
  }

  it('has its placeholders as they are, and is null without a template', async () => {
    await put()
    await put({ subject: 'Lamp' }, 'AKTAPilot600/U9-M-2011')
    expect(await subject()).toBe('{instrument}: pressure')
    expect(await subject({ eisCode: 'U9-M', errorCode: '2011' })).toBe('Lamp')
    expect(await subject({ errorCode: '1043' })).toBeNull()
    expect(await subject({ instrumentType: 'Wave25' })).toBeNull()
  })

  it('is null under review, because none is sent, and the instrument does not list it; unless such e-mails are sent', async () => {
    await put({ underReview: true })
    const listed = async () =>
      (await support.call('listSupportEmails', { query: { instrumentIpid: 'IP-20431187' } })).body.length
    expect([await subject(), await listed()]).toEqual([null, 0])
    await server.database.db
      .insertInto('feature_flag')
      .values({ key: 'NOTIFY_UNDER_REVIEW', user_id: null, value: true })
      .execute()
    expect([await subject(), await listed()]).toEqual(['{instrument}: pressure', 1])
  })

  it('needs AUTO_EMAIL', async () => {
    await server.database.db.updateTable('feature_flag').set({ value: false }).execute()
    const query = { instrumentType: 'AKTAPilot600', eisCode: 'P9B', errorCode: '1042' } as const
    expect((await support.call('getAutomaticEmailSubject', { query })).problem.code).toBe('feature-off')
    await server.database.db.updateTable('feature_flag').set({ value: true }).execute()
  })
})
