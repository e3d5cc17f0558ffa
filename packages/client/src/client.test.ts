import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ApiError, createClient } from './client.ts'
import { each } from './paging.ts'
import { passwordCredentials } from './password-credentials.ts'

const fetched = vi.fn<typeof fetch>()
const pauses: number[] = []
const client = createClient({
  url: 'https://bench.example/',
  token: 'secret',
  pause: async (ms) => {
    pauses.push(ms)
  },
})

const busy = (status: number, seconds?: number) =>
  new Response('{"ErrorBody":"Busy."}', {
    status,
    ...(seconds !== undefined && { headers: { 'retry-after': `${seconds}` } }),
  })
const put = () => client.call('putCustomer', { params: { key: 'lab' }, body: { name: 'Lab' } })
const change = () => client.call('createView', { body: {} as never })

beforeEach(() => vi.stubGlobal('fetch', fetched))
afterEach(() => {
  vi.unstubAllGlobals()
  fetched.mockReset()
  pauses.length = 0
})

it('calls the address of the server with its token', async () => {
  fetched.mockResolvedValueOnce(Response.json({ id: '7' }))
  expect(await client.call('getMe')).toEqual({ id: '7' })
  const [address, init] = fetched.mock.calls[0] ?? []
  expect(address).toBe('https://bench.example/api/users/me')
  expect(new Headers(init?.headers).get('authorization')).toBe('Bearer secret')
})

it.each([429, 503])('repeats a read after %d for as long as Retry-After says', async (status) => {
  fetched.mockResolvedValueOnce(busy(status, 2)).mockResolvedValueOnce(Response.json({ id: '7' }))
  expect(await client.call('getMe')).toEqual({ id: '7' })
  expect(pauses).toEqual([2000])
})

it('repeats a search and a registration, which change nothing when repeated', async () => {
  fetched.mockResolvedValueOnce(busy(503, 1)).mockResolvedValueOnce(Response.json({ values: [], total: 0 }))
  await client.call('listInstruments', { body: {} })
  fetched.mockResolvedValueOnce(busy(503, 1)).mockResolvedValueOnce(Response.json({ key: 'lab' }))
  await put()
  expect(fetched).toHaveBeenCalledTimes(4)
})

it('repeats no other change after a 503, because it may have happened, but does after a 429', async () => {
  fetched.mockResolvedValueOnce(busy(503, 1))
  await expect(change()).rejects.toMatchObject({ status: 503, message: 'Busy.' })
  expect(fetched).toHaveBeenCalledOnce()
  fetched.mockResolvedValueOnce(busy(429, 1)).mockResolvedValueOnce(Response.json({ id: '1' }))
  expect(await change()).toEqual({ id: '1' })
})

it('repeats neither without Retry-After, nor when it would take longer than half a minute', async () => {
  fetched.mockResolvedValueOnce(busy(503)).mockResolvedValueOnce(busy(429, 900))
  await expect(client.call('getMe')).rejects.toMatchObject({ status: 503 })
  await expect(client.call('getMe')).rejects.toMatchObject({ status: 429 })
  expect(fetched).toHaveBeenCalledTimes(2)
})

it('repeats a lost read with growing pauses and gives up after four', async () => {
  fetched.mockRejectedValue(new TypeError('fetch failed'))
  await expect(client.call('getMe')).rejects.toMatchObject({ status: 0, code: 'network' })
  expect(pauses).toEqual([500, 1000, 2000, 4000])
  fetched.mockClear()
  await expect(change()).rejects.toMatchObject({ status: 0 })
  expect(fetched).toHaveBeenCalledOnce()
})

it('answers a refusal of its token with the sentence of the server', async () => {
  fetched.mockResolvedValueOnce(Response.json({ ErrorBody: 'Unknown key.', code: 'bad-gateway-key' }, { status: 401 }))
  const error = await client.call('getMe').catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ status: 401, code: 'bad-gateway-key', message: 'Unknown key.' })
})

it('ends the wait before a repeat when it is aborted', async () => {
  const controller = new AbortController()
  const patient = createClient({ url: 'https://bench.example' })
  fetched.mockImplementationOnce(async () => {
    queueMicrotask(() => controller.abort())
    return busy(503, 30)
  })
  await expect(patient.call('getMe', { signal: controller.signal })).rejects.toMatchObject({ name: 'AbortError' })
})

it('signs in with a password once for calls that begin together, and again when the session has ended', async () => {
  let sessions = 0
  fetched.mockImplementation(async (address, init) => {
    if (String(address).endsWith('/auth/sign-in')) {
      sessions += 1
      return Response.json({ accessToken: `token-${sessions}`, expiresIn: 900, user: {} })
    }
    const isValid = new Headers(init?.headers).get('authorization') === `Bearer token-${Math.max(sessions, 1)}`
    return isValid ? Response.json({ id: '7' }) : Response.json({ code: 'session-expired' }, { status: 401 })
  })
  const url = 'https://bench.example'
  const person = createClient({ url, credentials: passwordCredentials(url, { userId: 'a@b.example', password: 'x' }) })
  await Promise.all([person.call('getMe'), person.call('getMe')])
  expect(sessions).toBe(1)
  sessions = 2
  expect(await person.call('getMe')).toEqual({ id: '7' })
  expect(sessions).toBe(3)
})

it('says so when a password alone does not sign in', async () => {
  fetched.mockImplementation(async () => Response.json({ challenge: 'TOTP_MFA', challengeToken: 't' }))
  const url = 'https://bench.example'
  const person = createClient({ url, credentials: passwordCredentials(url, { userId: 'a@b.example', password: 'x' }) })
  await expect(person.call('getMe')).rejects.toThrow('a@b.example asks for another step (TOTP_MFA)')
})

it('reads a list to its end by offset', async () => {
  const keys = Array.from({ length: 250 }, (_, index) => ({ key: `site-${index}` }))
  const offsets: string[] = []
  fetched.mockImplementation(async (address) => {
    const { searchParams } = new URL(String(address))
    offsets.push(searchParams.get('offset') ?? '')
    const from = Number(searchParams.get('offset'))
    return Response.json({ values: keys.slice(from, from + Number(searchParams.get('limit'))), total: 250 })
  })
  const found: string[] = []
  for await (const { key } of each(client, 'listSites', {})) found.push(key)
  expect(found).toEqual(keys.map(({ key }) => key))
  expect(offsets).toEqual(['0', '100', '200'])
})

it.each(['ASC', 'DESC'] as const)(
  'reads every event once, %s, although read ones leave the list and many have the same time',
  async (order) => {
    const at = (index: number) => new Date(Date.UTC(2026, 10, 20, 14, 0, 0, Math.floor(index / 230))).toISOString()
    const all = Array.from({ length: 700 }, (_, index) => ({ id: String(index), createdAt: at(index) }))
    const claimed = new Set<string>()
    fetched.mockImplementation(async (address) => {
      const query = new URL(String(address)).searchParams
      const from = Number(query.get('offset'))
      const sorted = order === 'ASC' ? all : all.toReversed()
      const values = sorted
        .filter(({ id }) => !claimed.has(id))
        .filter(({ createdAt }) => createdAt >= (query.get('start') ?? '') && createdAt < (query.get('stop') ?? '3'))
        .slice(from, from + 100)
      return Response.json({ values: values.map((alarm) => ({ alarm })) })
    })
    const found: string[] = []
    for await (const { alarm } of each(client, 'listServiceEvents', { query: { order }, body: {} })) {
      found.push(alarm.id)
      // A colleague claims an event of an earlier millisecond, which leaves the list of new events.
      if (found.length % 230 === 0 && found.length > 230) claimed.add(found[0] ?? '').add(found[1] ?? '')
    }
    expect(found.length).toBe(new Set(found).size)
    expect(found.toSorted((a, b) => Number(a) - Number(b))).toEqual(all.map(({ id }) => id))
  },
)
