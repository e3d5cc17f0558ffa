import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { type Client, createClient } from '@benchwatch/client/client'
import { liveMessages } from '@benchwatch/client/live-messages'
import { each } from '@benchwatch/client/paging'
import { passwordCredentials } from '@benchwatch/client/password-credentials'
import type { ServiceEvent } from '@benchwatch/contract/events/events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildEventFixture } from './event-fixture.ts'
import { addSamplePerson, SAMPLE_PASSWORD } from './sample-people.ts'
import { type TestApp, testApp } from './test-app.ts'
import { testDatabase } from './test-database.ts'

/** The client and the command line on a real server that listens. */

let app: TestApp
let url: string
let folder: string
/** Tokens of an engineer, and of a customer whom some of the events belong to. */
let token: string
let customerToken: string
let registryToken: string
let engineer: Client

beforeAll(async () => {
  const database = await testDatabase()
  app = await testApp(database, { now: new Date(), environment: { EXPORTS_PER_HOUR: '100' } })
  const fixture = await buildEventFixture(database.db, { events: 240, now: app.clock.now() })
  await addSamplePerson(database, { login: 'engineer@benchwatch.example', name: 'Ines Berg' })
  await addSamplePerson(database, { login: 'colleague@benchwatch.example', name: 'Olle Ek' })
  await addSamplePerson(database, { login: 'admin@benchwatch.example', role: 'admin' })
  const customerId = fixture.customers[0]?.id ?? 0
  await addSamplePerson(database, { login: 'lab@helixbio.example', role: 'customer', scope: [customerId] })
  url = await app.app.http.listen({ host: '127.0.0.1', port: 0 })
  engineer = clientOf('engineer@benchwatch.example')
  token = await tokenOf('engineer@benchwatch.example')
  customerToken = await tokenOf('lab@helixbio.example')
  registryToken = (
    await clientOf('admin@benchwatch.example').call('createApiToken', {
      body: { name: 'lims', scopes: ['registry'], expiresAt: new Date(Date.now() + 86_400_000).toISOString() },
    })
  ).token
  folder = await mkdtemp(join(tmpdir(), 'benchwatch-client-'))
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true, force: true })
})

const credentialsOf = (userId: string) => passwordCredentials(url, { userId, password: SAMPLE_PASSWORD })

function clientOf(userId: string): Client {
  return createClient({ url, credentials: credentialsOf(userId) })
}

const tokenOf = async (userId: string) => (await credentialsOf(userId)().renew()) ?? ''

/** Runs the command line as a user does, in a process of its own. */
async function run(
  args: readonly string[],
  { input = '', token: own = token, env = {} }: { input?: string; token?: string; env?: Record<string, string> } = {},
): Promise<{ code: number | null; out: string; err: string }> {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const program = fileURLToPath(import.meta.resolve('@benchwatch/client/cli/benchwatch'))
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH, NODE_COMPILE_CACHE, BENCHWATCH_URL: url, BENCHWATCH_TOKEN: own, ...env },
  })
  child.stdin.end(input)
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve))
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { code, out, err }
}

const objects = <T>(lines: string) =>
  lines
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as T)

async function newEvents(): Promise<ServiceEvent[]> {
  const input = { body: { filter: { alertStatus: ['1_NEW'] } } }
  const found: ServiceEvent[] = []
  for await (const { alarm } of each(engineer, 'listServiceEvents', input)) found.push(alarm)
  return found
}

describe('the client', () => {
  test('reads every page of the events', async () => {
    const ids = new Set<string>()
    for await (const { alarm } of each(engineer, 'listServiceEvents', { body: {} })) ids.add(alarm.id)
    const { total } = await engineer.call('listServiceEvents', { body: {} })
    expect(ids.size).toBe(total.events)
    expect(total.events).toBeGreaterThan(200)
  })

  test('sends the version that a change is based on', async () => {
    const [event] = await newEvents()
    const { id, version } = event as ServiceEvent
    const me = await engineer.call('getMe')
    const change = { params: { id }, body: { claimedBy: me.id }, ifMatch: version - 1 }
    await expect(engineer.call('updateServiceEvent', change)).rejects.toMatchObject({ code: 'version-mismatch' })
  })

  test('hears live messages, and those that it missed after its connection was lost', async () => {
    const [first, second] = (await newEvents()) as [ServiceEvent, ServiceEvent]
    const colleague = clientOf('colleague@benchwatch.example')
    const { id: claimedBy } = await colleague.call('getMe')
    const claim = ({ id }: ServiceEvent) =>
      colleague.call('updateServiceEvent', { params: { id }, body: { claimedBy } })
    const controller = new AbortController()
    const messages = liveMessages(engineer, { signal: controller.signal })
    const nextClaim = async () => {
      for (;;) {
        const { value, done } = await messages.next()
        if (done) throw new Error('The messages ended.')
        if (value.entity === 'alarm' && value.property === 'claimedBy') return value.payload.id
      }
    }
    expect((await messages.next()).value).toMatchObject({ entity: 'hello', action: 'ready' })
    await claim(first)
    expect(await nextClaim()).toBe(first.id)
    for (const socket of app.app.http.websocketServer.clients) socket.terminate()
    await claim(second)
    expect(await nextClaim()).toBe(second.id)
    controller.abort()
    expect((await messages.next()).done).toBe(true)
  })

  test('reports a missing session instead of trying without end', async () => {
    const stranger = createClient({ url, token: 'nobody' })
    await expect(liveMessages(stranger).next()).rejects.toMatchObject({ status: 401 })
  })
})

describe('events on the command line', () => {
  test('are listed as a table and as JSON, narrowed', async () => {
    const table = await run(['events', 'list', '--status', 'new', '--limit', '3'])
    expect([table.code, table.err]).toEqual([0, 'There are more than these 3 events. To list all, add --limit all.\n'])
    const lines = table.out.trimEnd().split('\n')
    expect(lines).toHaveLength(4)
    expect(lines[0]).toMatch(/^EVENT +STATUS +SEVERITY +CREATED +INSTRUMENT +OWNER +DESCRIPTION$/)
    for (const line of lines.slice(1)) expect(line).toMatch(/^ORC-\d+ +New /)
    const args = ['--status', 'new,closed', '--severity', 'high', '--filter', 'alertType=1', '--limit', 'all', '--json']
    const { out, err } = await run(['events', 'list', ...args])
    expect(err).toBe('')
    const found = objects<ServiceEvent>(out)
    const { total } = await engineer.call('listServiceEvents', {
      body: { filter: { alertStatus: ['1_NEW', '3_CLOSED'], severity: ['high'], alertType: ['1'] } },
    })
    expect(found).toHaveLength(total.events)
    expect(found.length).toBeGreaterThan(0)
    expect((await run(['events', 'list', '--since', '1m'])).out).toBe('No events match.\n')
  })

  test('are claimed and closed, and a claim takes nothing from a colleague unless asked', async () => {
    const [event, others] = (await newEvents()).filter(({ claimedBy }) => claimedBy === null) as [
      ServiceEvent,
      ServiceEvent,
    ]
    const name = `ORC-${event.eventId}`
    const claimed = await run(['events', 'claim', name])
    expect([claimed.code, claimed.out]).toEqual([0, `${name}: in progress, owner Ines Berg\n`])
    const closed = await run([
      'events',
      'close',
      event.eventId,
      '--reason',
      'no action required',
      '--comment',
      'Seen',
      '--json',
    ])
    expect(objects<ServiceEvent>(closed.out)).toMatchObject([
      { alertStatus: '3_CLOSED', reasonClosed: 'No action required', reasonClosedComment: 'Seen' },
    ])
    const colleague = clientOf('colleague@benchwatch.example')
    const { id: claimedBy } = await colleague.call('getMe')
    await colleague.call('updateServiceEvent', { params: { id: others.id }, body: { claimedBy } })
    const refused = await run(['events', 'claim', others.eventId])
    expect([refused.code, refused.out]).toEqual([1, ''])
    expect(refused.err).toContain('belongs to Olle Ek. Add --take-over')
    expect((await run(['events', 'claim', others.eventId, '--take-over'])).code).toBe(0)
  })

  test('of another customer do not exist, and the rest is done all the same', async () => {
    const seen = objects<ServiceEvent>(
      (await run(['events', 'list', '--limit', 'all', '--json'], { token: customerToken })).out,
    )
    const hidden = (await newEvents()).find(({ id }) => !seen.some((event) => event.id === id)) as ServiceEvent
    const own = seen.find((event) => event.alertStatus === '1_NEW' && event.claimedBy === null) as ServiceEvent
    const { code, out, err } = await run(['events', 'claim', hidden.eventId, own.eventId], { token: customerToken })
    expect(code).toBe(1)
    expect(err).toMatch(new RegExp(`^ORC-${hidden.eventId}: `))
    expect(out).toContain(`ORC-${own.eventId}: in progress`)
    expect((await engineer.call('getServiceEvent', { params: { id: hidden.id } })).version).toBe(hidden.version)
  })

  test('are exported to standard output and to a file', async () => {
    const { code, out, err } = await run(['events', 'export', '--severity', 'low'])
    expect([code, err]).toEqual([0, expect.stringMatching(/^\d+ events …\n$/)])
    expect(out.trimEnd().split('\r\n').length - 1).toBe(Number.parseInt(err, 10))
    const file = join(folder, 'events.csv')
    expect(await run(['events', 'export', '--severity', 'low', '--output', file])).toMatchObject({ code: 0, out: '' })
    // `text` leaves out the byte order mark.
    expect(await readFile(file, 'utf8')).toBe(`\uFEFF${out}`)
  })

  test.each([
    [[], /^Usage:/],
    [['events', 'open'], /There is no command "events open"/],
    [['events', 'list', '--colour'], /Unknown option '--colour'/],
    [['events', 'list', '--status', 'fresh'], /"fresh" is not a status. Use new, in-progress, closed/],
    [['events', 'list', '--since', 'yesterday'], /Write 24h, 7d, 2026-11-20/],
    [['events', 'close', '1'], /Give --reason one of: Service Case Created/],
    [['registry', 'apply'], /Name one folder/],
  ])('with arguments that cannot be used end with 2 and say what to write: %j', async (args, message) => {
    const { code, out, err } = await run(args)
    expect(code).toBe(2)
    expect(args.length === 0 ? out : err).toMatch(message)
  })

  test('need a token that is accepted, and a server that is there', async () => {
    const refused = await run(['events', 'list'], { token: 'nonsense' })
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('Set BENCHWATCH_TOKEN to a new one')])
    const away = await run(['sign-in', 'a@b.example'], { input: 'x\n', env: { BENCHWATCH_URL: 'http://127.0.0.1:9' } })
    expect([away.code, away.err]).toEqual([1, expect.stringContaining('could not be reached')])
  })

  test('take the token from a file', async () => {
    const file = join(folder, 'token')
    const signIn = { input: `${SAMPLE_PASSWORD}\n`, token: '' }
    const { code, out } = await run(['sign-in', 'engineer@benchwatch.example'], signIn)
    expect([code, out]).toEqual([0, expect.stringMatching(/^\S+\n$/)])
    await writeFile(file, out)
    const env = { BENCHWATCH_TOKEN_FILE: file }
    expect((await run(['events', 'list', '--limit', '1'], { token: '', env })).code).toBe(0)
    expect((await run(['events', 'list'], { env })).err).toContain('not both')
  })
})

describe('the registry on the command line', () => {
  let files: string
  const apply = (...args: string[]) => run(['registry', 'apply', files, ...args], { token: registryToken })
  const keep = (name: string, content: string) => writeFile(join(files, name), content)

  beforeAll(async () => {
    files = await mkdtemp(join(folder, 'registry-'))
  })

  test('is registered from a folder of CSV, JSON and YAML; a second time changes nothing', async () => {
    await keep('customers.json', JSON.stringify([{ key: 'lims', name: 'LIMS lab' }]))
    await keep('sites.yaml', '- key: lims-site\n  customer: lims\n  city: Gävle\n')
    await keep('contacts.csv', 'key,customer,name\na@lims.example,lims,Ann Åberg\n')
    await keep('README.md', 'Ours.\n')
    const dry = await apply('--dry-run')
    expect([dry.code, dry.err]).toEqual([0, ''])
    expect(dry.out).toContain('+ customers/lims\n    name: LIMS lab\n')
    expect(dry.out).toContain('Would create 3 and update 0 objects. Nothing was written.')
    const done = await apply()
    expect(done.out).toContain('Created 3 and updated 0 objects.')
    expect(await apply()).toEqual({ code: 0, out: 'Nothing to change.\n', err: '' })
    await keep('sites.yaml', '- key: lims-site\n  customer: lims\n  city: Kiruna\n')
    expect((await apply('--dry-run')).out).toBe(
      '~ sites/lims-site\n    city: Gävle → Kiruna\nWould create 0 and update 1 objects. Nothing was written.\n',
    )
    expect(JSON.parse((await apply('--json')).out)).toMatchObject({ updated: 1, errors: [] })
  })

  test('names the file and the place of what is wrong, and registers nothing', async () => {
    await keep('sites.yaml', '- key: lims-site\n  customer: lims\n- key: half\n  customer: lims\n  latitude: 1\n')
    await keep('contacts.csv', 'key,customer,colour\na@lims.example,lims,red\n')
    const { code, err } = await apply()
    expect(code).toBe(1)
    expect(err).toContain('contacts.csv:1: colour is not a field of this kind')
    expect(err).toContain('Nothing was registered.')
    await keep('contacts.csv', 'key,customer\na@lims.example,lims\n')
    expect((await apply()).err).toContain('sites.yaml, object 2: latitude requires longitude as well')
    await keep('site.csv', 'key,customer\n')
    expect((await apply()).err).toContain('site.csv is not named after a kind')
  })

  test('is closed to users who are no administrators', async () => {
    await rm(join(files, 'site.csv'), { force: true })
    const { code, err } = await run(['registry', 'apply', files])
    expect([code, err.length > 0]).toEqual([1, true])
  })
})
