import { EventEmitter } from 'node:events'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { WebSocket } from 'ws'
import { type Announcement, announce } from '../../db/queues/outbox.ts'
import { inTransaction } from '../../db/transaction.ts'
import { type Broadcast, LiveHub } from '../../platform/live/hub.ts'
import { type LiveSocket, openLive, openLiveAddress } from '../../testing/live-socket.ts'
import { registerSampleFleet, type SampleFleet } from '../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { tokensOf } from '../../testing/signed-in.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'
import { waitingFor } from '../../testing/waiting-for-lock.ts'
import { createLiveToken, endSessions } from '../auth/session/session.store.ts'
import { joinLive } from './live.routes.ts'

let database: TestDatabase
let app: TestApp
let fleet: SampleFleet
let engineerId: number
let engineer: Caller
let helix: Caller
let nordic: Caller
const sockets: LiveSocket[] = []

beforeAll(async () => {
  database = await testDatabase()
  app = await testApp(database)
  await app.app.http.listen({ host: '127.0.0.1', port: 0 })
  fleet = await registerSampleFleet(database, TEST_NOW)
  engineerId = await addSamplePerson(database, { login: 'engineer@benchwatch.example' })
  const customer = (login: string, customerId: number) =>
    addSamplePerson(database, { login, role: 'customer', scope: [customerId] })
  engineer = await app.as(engineerId)
  helix = await app.as(await customer('lab@helixbio.example', fleet.customers.helix))
  nordic = await app.as(await customer('lab@nordic.example', fleet.customers.nordic))
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close()
})
afterAll(() => app.close())

async function connect(caller: Caller, sent?: Parameters<typeof openLive>[2]): Promise<LiveSocket> {
  const socket = await openLive(app, caller, sent)
  sockets.push(socket)
  return socket
}

/** Returns a status change of an instrument, the smallest valid message. */
function statusMessage(customerId: number, installedProductId: string): Announcement {
  return {
    audience: { customerId },
    message: {
      entity: 'instrument',
      action: 'update',
      property: 'instrumentStatus',
      payload: { id: '1', instrumentInstalledProductId: installedProductId, instrumentStatus: 'ready' },
    },
  }
}
const aboutUser = (userId: number, property: 'session' | 'features'): Announcement => ({
  audience: { userId },
  message: { entity: 'user', action: 'update', property, payload: {} },
})
const announceAll = (messages: Announcement[]) => inTransaction(database.db, (trx) => announce(trx, messages))
const announceOf = (customer: 'helix' | 'nordic', ...names: string[]) =>
  announceAll(names.map((name) => statusMessage(fleet.customers[customer], name)))

const sessionOf = (userId: number) =>
  database.db.selectFrom('session').select('id').where('user_id', '=', userId).executeTakeFirstOrThrow()

/** Returns the name in the next message. */
async function nextName(socket: LiveSocket): Promise<string> {
  const message = await socket.next()
  if (message.entity !== 'instrument') throw new Error(`An instrument was expected, not ${JSON.stringify(message)}.`)
  return message.payload.instrumentInstalledProductId
}

describe('messages', () => {
  test('go only to users whose scope includes the customer', async () => {
    const [all, ofHelix, ofNordic] = [await connect(engineer), await connect(helix), await connect(nordic)]
    for (const socket of [all, ofHelix, ofNordic])
      expect(await socket.next()).toMatchObject({ entity: 'hello', action: 'ready' })
    await announceOf('helix', 'H-1')
    await announceOf('nordic', 'N-1')
    await announceOf('helix', 'H-2')
    expect([await nextName(all), await nextName(all), await nextName(all)]).toEqual(['H-1', 'N-1', 'H-2'])
    // The second message is the proof: N-1 was published between the two.
    expect([await nextName(ofHelix), await nextName(ofHelix)]).toEqual(['H-1', 'H-2'])
    expect(await nextName(ofNordic)).toBe('N-1')
  })

  test('to one user reach that user alone', async () => {
    const [own, other] = [await connect(engineer), await connect(helix)]
    await Promise.all([own.next(), other.next()])
    const session = { entity: 'user', action: 'update', property: 'session', payload: {} } as const
    await announceAll([{ audience: { userId: engineerId }, message: session }])
    await announceOf('helix', 'H-3')
    expect(await own.next()).toMatchObject(session)
    expect(await nextName(own)).toBe('H-3')
    expect(await nextName(other)).toBe('H-3')
  })

  test('of a transaction that is rolled back are never sent', async () => {
    const socket = await connect(engineer)
    await socket.next()
    const failing = inTransaction(database.db, async (trx) => {
      await announce(trx, [statusMessage(fleet.customers.helix, 'never')])
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    await announceOf('helix', 'H-4')
    expect(await nextName(socket)).toBe('H-4')
  })

  test('have growing numbers, those of one transaction in its order', async () => {
    const socket = await connect(engineer)
    const numbers = [(await socket.next()).seq]
    await announceOf('helix', 'a', 'b', 'c')
    for (const name of ['a', 'b', 'c']) {
      const message = await socket.next()
      expect(message.payload).toMatchObject({ instrumentInstalledProductId: name })
      numbers.push(message.seq)
    }
    const [first = 0] = numbers
    expect(numbers).toEqual([first, first + 1, first + 2, first + 3])
  })
})

describe('a page that names no message', () => {
  test('gets those that were published since it asked for its token, when it began to read', async () => {
    const witness = await connect(engineer)
    await witness.next()
    await announceOf('helix', 'before')
    expect(await nextName(witness)).toBe('before')
    const { body } = await helix.call('createLiveToken')
    await announceOf('helix', 'meanwhile')
    expect(await nextName(witness)).toBe('meanwhile')
    const socket = openLiveAddress(app, `?token=${body.token}`)
    sockets.push(socket)
    expect(await socket.next()).toMatchObject({ entity: 'hello', action: 'ready' })
    await announceOf('helix', 'after')
    expect([await nextName(socket), await nextName(socket)]).toEqual(['meanwhile', 'after'])
  })
})

describe('after a break', () => {
  test('what was missed comes first, once each and in order, then what is new', async () => {
    const before = await connect(helix)
    const { seq } = await before.next()
    before.close()
    await before.closed
    const witness = await connect(engineer)
    await witness.next()
    await announceOf('helix', 'M-1', 'M-2')
    await announceOf('nordic', 'foreign')
    await announceOf('helix', 'M-3')
    for (let count = 0; count < 4; count += 1) await witness.next()

    const back = await connect(helix, { after: seq })
    expect(await back.next()).toEqual({ seq, entity: 'hello', action: 'ready', property: null, payload: {} })
    await announceOf('helix', 'new')
    expect([await nextName(back), await nextName(back), await nextName(back), await nextName(back)]).toEqual([
      'M-1',
      'M-2',
      'M-3',
      'new',
    ])
  })

  test('nothing is lost or doubled when messages are published while the connection opens', async () => {
    const start = await connect(engineer)
    const { seq } = await start.next()
    const names = Array.from({ length: 60 }, (_, index) => `race-${index}`)
    const publishing = (async () => {
      for (const name of names) await announceOf('helix', name)
    })()
    const late = await Promise.all(Array.from({ length: 5 }, () => connect(helix, { after: seq })))
    await publishing
    for (const socket of late) {
      await socket.next()
      const got: string[] = []
      for (let count = 0; count < names.length; count += 1) got.push(await nextName(socket))
      expect(got).toEqual(names)
    }
  })

  test.each([
    [
      'what was missed is no longer kept',
      async () => {
        const { seq } = await (await connect(engineer)).next()
        await announceOf('helix', 'kept-1', 'kept-2')
        const witness = await connect(engineer, { after: seq })
        for (let count = 0; count < 3; count += 1) await witness.next()
        await sql`DELETE FROM live_message WHERE seq <= ${seq + 1}`.execute(database.db)
        return seq
      },
    ],
    [
      'the number is of the future, as after a restored backup',
      async () => (await (await connect(engineer)).next()).seq + 50,
    ],
    ['the number can’t be read', async () => 'abc'],
    [
      'more than 1,000 were missed',
      async () => {
        const witness = await connect(engineer)
        const { seq } = await witness.next()
        await announceOf('helix', ...Array.from({ length: 1001 }, (_, index) => `many-${index}`))
        for (let count = 0; count < 1001; count += 1) await witness.next()
        return seq
      },
    ],
  ])('everything is to be read again when %s', async (_when, prepare) => {
    const after = await prepare()
    const socket = await connect(engineer, { after })
    const hello = await socket.next()
    expect(hello).toMatchObject({ entity: 'hello', action: 'resync' })
    await announceOf('helix', 'fresh')
    const fresh = await socket.next()
    expect(fresh).toMatchObject({ seq: hello.seq + 1, payload: { instrumentInstalledProductId: 'fresh' } })
  })

  test('exactly 1,000 missed ones are given one by one', async () => {
    const witness = await connect(engineer)
    const { seq } = await witness.next()
    await announceOf('helix', ...Array.from({ length: 1000 }, (_, index) => `thousand-${index}`))
    for (let count = 0; count < 1000; count += 1) await witness.next()
    const socket = await connect(engineer, { after: seq })
    expect(await socket.next()).toMatchObject({ action: 'ready', seq })
    for (let count = 0; count < 1000; count += 1) expect(await nextName(socket)).toBe(`thousand-${count}`)
  })
})

describe('a connection is refused with 1008', () => {
  const token = async () => (await engineer.call('createLiveToken')).body.token
  const code = (query: string, options = {}) => openLiveAddress(app, query, options).closed

  test('without a token, with a made-up one, and with an ordinary access token', async () => {
    const { body } = await app.call('signIn', {
      body: { userId: 'engineer@benchwatch.example', password: 'Benchwatch-2026!' },
    })
    const authorization = tokensOf(body).accessToken
    for (const query of ['', '?token=', '?token=made-up', `?token=${authorization}`, '?token=a&token=b']) {
      expect(await code(query)).toBe(1008)
    }
  })

  test('with a token that was used', async () => {
    const used = await token()
    const first = openLiveAddress(app, `?token=${used}`)
    sockets.push(first)
    await first.next()
    expect(await code(`?token=${used}`)).toBe(1008)
  })

  test('with one of two connections when both bring the same token at once', async () => {
    const shared = await token()
    const both = [openLiveAddress(app, `?token=${shared}`), openLiveAddress(app, `?token=${shared}`)]
    sockets.push(...both)
    const outcomes = await Promise.all(
      both.map((socket) =>
        Promise.race([
          socket.next().then(
            () => 'open',
            () => 'refused',
          ),
          socket.closed,
        ]),
      ),
    )
    expect(outcomes.filter((outcome) => outcome === 'open')).toHaveLength(1)
  })

  test('with a token that is older than 30 s', async () => {
    const late = await token()
    await sql`UPDATE live_token SET expires_at = expires_at - interval '30 s'`.execute(database.db)
    expect(await code(`?token=${late}`)).toBe(1008)
    const early = await token()
    await sql`UPDATE live_token SET expires_at = expires_at - interval '20 s'`.execute(database.db)
    const socket = openLiveAddress(app, `?token=${early}`)
    sockets.push(socket)
    expect(await socket.next()).toMatchObject({ entity: 'hello' })
  })

  test('with a token of a session that ended', async () => {
    const id = await addSamplePerson(database, { login: 'gone@benchwatch.example' })
    const caller = await app.as(id)
    const { body } = await caller.call('createLiveToken')
    await caller.call('signOut')
    expect(await code(`?token=${body.token}`)).toBe(1008)
  })

  test('with a token of somebody who was disabled meanwhile', async () => {
    const id = await addSamplePerson(database, { login: 'disabled@benchwatch.example' })
    const { body } = await (await app.as(id)).call('createLiveToken')
    await database.db.updateTable('app_user').set({ disabled_at: TEST_NOW }).where('id', '=', id).execute()
    expect(await code(`?token=${body.token}`)).toBe(1008)
  })

  test('from a page of another site, whose token is not even spent', async () => {
    const own = await token()
    expect(await code(`?token=${own}`, { origin: 'https://evil.example' })).toBe(1008)
    const host = 'console.example'
    const socket = openLiveAddress(app, `?token=${own}`, { origin: `http://${host}`, headers: { host } })
    sockets.push(socket)
    expect(await socket.next()).toMatchObject({ entity: 'hello' })
  })
})

test('a page at the address that people use is the product’s own, whatever host a proxy names', async () => {
  const { body } = await engineer.call('createLiveToken')
  const told = { origin: app.config.publicUrl, headers: { host: 'inside.example' } }
  const socket = openLiveAddress(app, `?token=${body.token}`, told)
  sockets.push(socket)
  expect(await socket.next()).toMatchObject({ entity: 'hello' })
})

describe('a connection ends', () => {
  test('without a code at sign-out, and that of another session stays', async () => {
    const [leaving, staying] = [await app.as(engineerId), await app.as(engineerId)]
    const [socket, other] = [await connect(leaving), await connect(staying)]
    await Promise.all([socket.next(), other.next()])
    expect((await leaving.call('signOut')).status).toBe(204)
    expect(await socket.closed).toBe(1005)
    expect(await other.next()).toMatchObject({ entity: 'user', property: 'session' })
    await announceOf('helix', 'still-here')
    expect(await nextName(other)).toBe('still-here')
  })

  test('without a code when the session ended on another node', async () => {
    const id = await addSamplePerson(database, { login: 'elsewhere@benchwatch.example' })
    const socket = await connect(await app.as(id))
    await socket.next()
    await inTransaction(database.db, (trx) =>
      endSessions(trx, { which: { userId: id }, reason: 'disabled', actor: { type: 'system' }, at: TEST_NOW }),
    )
    expect(await socket.closed).toBe(1005)
  })

  test.each([
    ['data scope', { all_customers: false }],
    ['role', { role: 'support' as const }],
  ])(
    'with 1012 when the %s of its user was changed, so that the browser comes back with the new one',
    async (what, change) => {
      const id = await addSamplePerson(database, { login: `${what.replace(' ', '.')}@benchwatch.example` })
      const [changed, other] = [await connect(await app.as(id)), await connect(engineer)]
      await Promise.all([changed.next(), other.next()])
      await inTransaction(database.db, async (trx) => {
        await trx.updateTable('app_user').set(change).where('id', '=', id).execute()
        await announce(trx, [aboutUser(id, 'session'), aboutUser(engineerId, 'session')])
      })
      expect(await changed.closed).toBe(1012)
      expect(await other.next()).toMatchObject({ entity: 'user', property: 'session' })
      await announceOf('helix', 'rights-as-before')
      expect(await nextName(other)).toBe('rights-as-before')
    },
  )

  test('before it gets a message that follows the change of its user’s rights', async () => {
    const id = await addSamplePerson(database, { login: 'narrowed@benchwatch.example' })
    const [narrowed, other] = [await connect(await app.as(id)), await connect(engineer)]
    await Promise.all([narrowed.next(), other.next()])
    await inTransaction(database.db, async (trx) => {
      await trx.updateTable('app_user').set({ all_customers: false }).where('id', '=', id).execute()
      // In one transaction, so that all are published together.
      const session = [aboutUser(id, 'session'), aboutUser(engineerId, 'session')]
      await announce(trx, [...session, statusMessage(fleet.customers.helix, 'H-too-late')])
    })
    expect(await narrowed.next()).toMatchObject({ entity: 'user', property: 'session' })
    await expect(narrowed.next()).rejects.toThrow()
    expect(await narrowed.closed).toBe(1012)
    expect(await other.next()).toMatchObject({ entity: 'user', property: 'session' })
    expect(await nextName(other)).toBe('H-too-late')
  })

  test('with 1012 when the rights of its user were changed while it began', async () => {
    const id = await addSamplePerson(database, { login: 'meanwhile@benchwatch.example' })
    const caller = await app.as(id)
    const opening = await database.db.transaction().execute(async (trx) => {
      const token = await createLiveToken(database.db, (await sessionOf(id)).id)
      await trx.selectFrom('live_token').selectAll().forUpdate().execute()
      const socket = openLiveAddress(app, `?token=${token}`)
      sockets.push(socket)
      // It has read the old rights, and waits for its token.
      await waitingFor(trx)
      await database.db.updateTable('app_user').set({ all_customers: false }).where('id', '=', id).execute()
      return socket
    })
    expect(await opening.closed).toBe(1012)
    const again = await connect(caller)
    expect(await again.next()).toMatchObject({ entity: 'hello' })
  })

  test('with 1012 when a flag of its user was switched, after the message that says so', async () => {
    const id = await addSamplePerson(database, { login: 'flagged@benchwatch.example' })
    const socket = await connect(await app.as(id))
    await socket.next()
    await announceAll([aboutUser(id, 'features')])
    expect(await socket.next()).toMatchObject({ entity: 'user', action: 'update', property: 'features' })
    expect(await socket.closed).toBe(1012)
  })

  test('when it sends more than a browser would, and the server continues', async () => {
    const socket = await connect(engineer)
    await socket.next()
    socket.send('x'.repeat(20_000))
    expect(await socket.closed).toBe(1009)
    expect((await app.call('getHealth')).status).toBe(200)
  })

  test('with 1012 at a deploy', async () => {
    const other = await testApp(database)
    await other.app.http.listen({ host: '127.0.0.1', port: 0 })
    const socket = await openLive(other, await other.as(engineerId))
    await socket.next()
    await other.close()
    expect(await socket.closed).toBe(1012)
  })
})

test('ping is answered with pong', async () => {
  const socket = await connect(engineer)
  await socket.next()
  socket.send('ping')
  expect(await socket.nextText()).toBe('pong')
})

test('a second node sends to its sockets what the first one published', async () => {
  const other = await testApp(database)
  await other.app.http.listen({ host: '127.0.0.1', port: 0 })
  const [here, there] = [await connect(engineer), await openLive(other, await other.as(engineerId))]
  await Promise.all([here.next(), there.next()])
  await announceOf('helix', 'both')
  expect([await nextName(here), await nextName(there)]).toEqual(['both', 'both'])
  await other.close()
})

test('a request without an upgrade is asked to upgrade', async () => {
  const response = await app.app.http.inject({ url: '/api/live?token=x' })
  expect(response.statusCode).toBe(426)
  expect(response.json()).toMatchObject({ code: 'upgrade-required' })
})

describe('join live', () => {
  /** Cases that would need luck on a real connection: messages that arrive exactly while the past is being read. */

  let hub: LiveHub
  let sent: string[]
  let socket: WebSocket

  beforeEach(() => {
    hub = new LiveHub()
    sent = []
    socket = Object.assign(new EventEmitter(), {
      OPEN: 1,
      readyState: 1,
      bufferedAmount: 0,
      send: (text: string) => sent.push(text),
      close: () => undefined,
    }) as unknown as WebSocket
  })
  afterEach(() => hub.close(1012))

  const messages = (...numbers: number[]): Broadcast[] =>
    numbers.map((seq) => ({ seq, customerId: seq % 10 === 9 ? 2 : 1, userId: null, text: String(seq) }))
  const viewer = {
    userId: 1,
    sessionId: 's',
    rights: 'all',
    subjects: [],
    maySee: ({ customerId }: Broadcast) => customerId === 1,
  }
  const check = async () => undefined
  /** Returns the greeting as `ready 10`, and messages by their number. */
  const received = () =>
    sent.map((text) => {
      if (!text.startsWith('{')) return text
      const { action, seq } = JSON.parse(text) as { action: string; seq: number }
      return `${action} ${seq}`
    })

  test('what arrives while the numbers are read is held, and sent once after what was missed', async () => {
    await joinLive({
      hub,
      socket,
      viewer,
      lastSeen: 10,
      past: {
        async range() {
          hub.deliver(messages(12, 13))
          return { last: 13, firstKept: 1 }
        },
        async since(number) {
          expect(number).toBe(10)
          hub.deliver(messages(14, 15))
          return messages(11, 12, 13, 14)
        },
      },
      check,
    })
    expect(received()).toEqual(['ready 10', '11', '12', '13', '14', '15'])
  })

  test('what the fan-out brings later is not sent again when it was among the missed', async () => {
    const past = { range: async () => ({ last: 12, firstKept: 1 }), since: async () => messages(11, 12, 13) }
    await joinLive({ hub, socket, viewer, lastSeen: 10, past, check })
    hub.deliver(messages(11, 12, 13, 14))
    expect(received()).toEqual(['ready 10', '11', '12', '13', '14'])
  })

  test('a browser that has read everything gets only what came after the last number', async () => {
    const past = {
      async range() {
        hub.deliver(messages(12, 13))
        return { last: 12, firstKept: 1 }
      },
      since: () => Promise.reject(new Error('nothing was missed')),
    }
    await joinLive({ hub, socket, viewer, lastSeen: null, past, check })
    hub.deliver(messages(12, 13, 14))
    expect(received()).toEqual(['ready 12', '13', '14'])
  })

  test('nothing outside the scope is sent, neither missed, nor held, nor new', async () => {
    const past = {
      async range() {
        hub.deliver(messages(19, 20))
        return { last: 20, firstKept: 1 }
      },
      since: async () => messages(9, 10, 19, 20),
    }
    await joinLive({ hub, socket, viewer, lastSeen: 8, past, check })
    hub.deliver(messages(29, 30))
    expect(received()).toEqual(['ready 8', '10', '20', '30'])
  })

  test('rights that changed while it began are checked again before anything is sent', async () => {
    const past = { range: async () => ({ last: 10, firstKept: 1 }), since: async () => messages(10) }
    const own: Broadcast = { seq: 11, customerId: null, userId: 1, text: '11' }
    const mine = { ...viewer, maySee: ({ customerId, userId }: Broadcast) => customerId === 1 || userId === 1 }
    const checks: number[] = []
    await joinLive({
      hub,
      socket,
      viewer: mine,
      lastSeen: 8,
      past,
      check: async () => {
        checks.push(sent.length)
        if (checks.length === 1) hub.deliver([own, ...messages(12)])
        else Object.assign(socket, { readyState: 3 })
      },
    })
    expect(checks).toEqual([0, 0])
    expect(received()).toEqual([])
  })

  test.each([
    ['at the edge of what is kept', 10, { last: 13, firstKept: 11 }, 'ready 10'],
    ['before what is kept', 9, { last: 13, firstKept: 11 }, 'resync 13'],
    ['with nothing kept', 9, { last: 13, firstKept: 0 }, 'resync 13'],
    ['with nothing kept and nothing missed', 13, { last: 13, firstKept: 0 }, 'ready 13'],
    ['in the future', 14, { last: 13, firstKept: 11 }, 'resync 13'],
    ['1,000 behind', 13, { last: 1013, firstKept: 1 }, 'ready 13'],
    ['1,001 behind', 12, { last: 1013, firstKept: 1 }, 'resync 1013'],
  ])('a browser %s gets the reason', async (_where, lastSeen, range, hello) => {
    const past = { range: async () => range, since: async () => [] }
    await joinLive({ hub, socket, viewer, lastSeen, past, check })
    expect(received()).toEqual([hello])
  })
})
