import { addressOf } from '@benchwatch/client/client'
import type { Route } from '@benchwatch/contract/route'
import { routes } from '@benchwatch/contract/routes'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError, call, callTagged, fieldProblems, mayPass, setCredentials } from './http.ts'

const fetched = vi.fn<typeof fetch>()

function answer(status: number, body?: unknown, headers: Record<string, string> = {}): Response {
  return new Response(body === undefined ? null : JSON.stringify(body), { status, headers })
}

const me = {
  id: '7',
  name: 'Anna Lind',
  email: 'anna@benchwatch.example',
  msisdn: null,
  role: 'service',
  customers: null,
  inactivityLimitSeconds: 14_400,
}

beforeEach(() => {
  vi.stubGlobal('fetch', fetched)
  setCredentials({ token: () => 'first', renew: async () => 'second', expire: () => undefined })
})

afterEach(() => {
  vi.unstubAllGlobals()
  fetched.mockReset()
  setCredentials(null)
})

function sentHeaders(time: number): Headers {
  return fetched.mock.calls[time]?.[1]?.headers as Headers
}

describe('the address of a call', () => {
  it('has its parameters escaped and only the query parameters that are defined', () => {
    expect(addressOf('/alarms/:id/history', { params: { id: 'a/b' } })).toBe('/api/alarms/a%2Fb/history')
    expect(addressOf('/alarms', { query: { keyword: 'äkta & co', start: undefined, limit: 12 } })).toBe(
      '/api/alarms?keyword=%C3%A4kta+%26+co&limit=12',
    )
  })

  it('keeps the slashes of a wildcard', () => {
    const address = addressOf('/registry/v1/event-templates/*', { params: { '*': 'AKTAPure/P9B 1' } })
    expect(address).toBe('/api/registry/v1/event-templates/AKTAPure/P9B%201')
  })

  it('refuses to leave a parameter open', () => {
    expect(() => addressOf('/alarms/:id', {})).toThrow(':id')
  })
})

describe('a call', () => {
  it('sends the bearer token and answers the body', async () => {
    fetched.mockResolvedValueOnce(answer(200, me))
    expect(await call('getMe')).toEqual(me)
    expect(sentHeaders(0).get('authorization')).toBe('Bearer first')
  })

  it('sends its body as JSON', async () => {
    fetched.mockResolvedValueOnce(answer(404, {}))
    await call('updateServiceEvent', { params: { id: '1' }, body: { claimedBy: '7' } }).catch(() => undefined)
    expect(sentHeaders(0).get('content-type')).toBe('application/json')
    expect(fetched.mock.calls[0]?.[1]).toMatchObject({ method: 'PUT', body: '{"claimedBy":"7"}' })
  })

  it('sends a text of a named media type as it stands', async () => {
    fetched.mockResolvedValueOnce(answer(200, { created: 1, updated: 0, errors: [] }))
    const body = 'key,name\r\nhelix,"Helix, Biologics"\r\n'
    await call('importRegistry', { query: { kind: 'customers', dryRun: true }, body, mediaType: 'text/csv' })
    expect(sentHeaders(0).get('content-type')).toBe('text/csv')
    expect(fetched.mock.calls[0]?.[1]?.body).toBe(body)
  })

  it('says the version that a change is based on', async () => {
    fetched.mockResolvedValueOnce(answer(404, {}))
    await call('updateServiceEvent', { params: { id: '1' }, body: {}, ifMatch: 3 }).catch(() => undefined)
    expect(sentHeaders(0).get('if-match')).toBe('"3"')
  })

  it('names the record that a change is based on by the ETag that was read with it', async () => {
    fetched.mockResolvedValueOnce(answer(200, me, { etag: '"5"' }))
    const { etag } = await callTagged('getMe')
    fetched.mockResolvedValueOnce(answer(404, {}))
    await call('updateAccount', { params: { id: '1' }, body: {} as never, ifMatch: etag }).catch(() => undefined)
    expect(sentHeaders(1).get('if-match')).toBe('"5"')
  })

  it('is loud in development when an answer does not match its schema', async () => {
    fetched.mockResolvedValueOnce(answer(200, { ...me, role: 'king' }))
    await expect(call('getMe')).rejects.toThrow('The answer of getMe does not match its schema')
  })
})

describe('the error of a call', () => {
  it.each([
    [{ ErrorBody: 'one', errorBody: 'two', error: 'three' }, 'one'],
    [{ errorBody: 'two', error: 'three' }, 'two'],
    [{ error: 'three' }, 'three'],
  ])('reads ErrorBody, errorBody and error in this order: %j', async (body, text) => {
    fetched.mockResolvedValueOnce(answer(400, body))
    await expect(call('getMe')).rejects.toThrow(text)
  })

  it('carries status, code and the whole problem', async () => {
    const problem = { ErrorBody: 'Changed.', code: 'version-mismatch', event: { id: '1', version: 4 } }
    fetched.mockResolvedValueOnce(answer(412, problem))
    const error = await call('getMe').catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ status: 412, code: 'version-mismatch', problem: { event: { version: 4 } } })
  })

  it('is a sentence when the answer is no JSON', async () => {
    fetched.mockResolvedValueOnce(new Response('<html>bad gateway</html>', { status: 502 }))
    await expect(call('getMe')).rejects.toThrow('The server answered with an error (502). Try again.')
  })

  it('has status 0 when the server could not be reached', async () => {
    fetched.mockRejectedValueOnce(new TypeError('Failed to fetch'))
    await expect(call('getMe')).rejects.toMatchObject({ status: 0, code: 'network' })
  })

  it.each([
    [0, true],
    [500, true],
    [503, true],
    [404, false],
    [429, false],
  ])('of status %d may pass: %s', (status, may) => {
    expect(mayPass(new ApiError('No.', { status, code: 'unknown' }))).toBe(may)
  })

  it('that is none of a call does not pass', () => {
    expect(mayPass(new TypeError('x is undefined'))).toBe(false)
  })

  it('leaves an abort as it is', async () => {
    const controller = new AbortController()
    controller.abort()
    fetched.mockRejectedValueOnce(controller.signal.reason)
    const error = await call('getMe', { signal: controller.signal }).catch((thrown: unknown) => thrown)
    expect(error).not.toBeInstanceOf(ApiError)
  })
})

describe('a gateway time-out', () => {
  it('is tried once more where a repeat is harmless', async () => {
    fetched.mockResolvedValueOnce(answer(504)).mockResolvedValueOnce(answer(200, me))
    expect(await call('getMe')).toEqual(me)
  })

  it('is tried once only', async () => {
    fetched.mockImplementation(async () => answer(504))
    await expect(call('getMe')).rejects.toMatchObject({ status: 504 })
    expect(fetched).toHaveBeenCalledTimes(2)
  })

  it('is final where a repeat could do something twice', async () => {
    fetched.mockImplementation(async () => answer(504))
    await expect(call('createLiveToken')).rejects.toMatchObject({ status: 504 })
    expect(fetched).toHaveBeenCalledTimes(1)
  })
})

describe('an expired token', () => {
  it('is renewed once and the call sent again', async () => {
    fetched.mockResolvedValueOnce(answer(401, {})).mockResolvedValueOnce(answer(200, me))
    expect(await call('getMe')).toEqual(me)
    expect(sentHeaders(1).get('authorization')).toBe('Bearer second')
  })

  it('ends the session when none can be had', async () => {
    const expire = vi.fn()
    setCredentials({ token: () => 'first', renew: async () => null, expire })
    fetched.mockResolvedValueOnce(answer(401, {}))
    await expect(call('getMe')).rejects.toThrow('Session expired')
    expect(expire).toHaveBeenCalledOnce()
  })

  it('that there never was fails with Session expired, and nothing is sent', async () => {
    const expire = vi.fn()
    setCredentials({ token: () => null, renew: async () => null, expire })
    await expect(call('getMe')).rejects.toMatchObject({ message: 'Session expired', status: 401 })
    expect(fetched).not.toHaveBeenCalled()
    expect(expire).toHaveBeenCalledOnce()
  })

  it('ends the session when the new one is refused as well', async () => {
    const expire = vi.fn()
    setCredentials({ token: () => 'first', renew: async () => 'second', expire })
    fetched.mockImplementation(async () => answer(401, {}))
    await expect(call('getMe')).rejects.toThrow('Session expired')
    expect(fetched).toHaveBeenCalledTimes(2)
    expect(expire).toHaveBeenCalledOnce()
  })

  it('is not what a wrong password means that was asked for again', async () => {
    const expire = vi.fn()
    setCredentials({ token: () => 'first', renew: async () => 'second', expire })
    fetched.mockResolvedValueOnce(answer(401, { ErrorBody: 'Wrong.', code: 'bad-credentials' }))
    await expect(call('beginTotp', { body: { password: 'wrong' } })).rejects.toMatchObject({ code: 'bad-credentials' })
    expect(fetched).toHaveBeenCalledOnce()
    expect(expire).not.toHaveBeenCalled()
  })

  it('without a token nothing is sent before there is one', async () => {
    setCredentials({ token: () => null, renew: async () => 'second', expire: () => undefined })
    fetched.mockResolvedValueOnce(answer(200, me))
    await call('getMe')
    expect(fetched).toHaveBeenCalledOnce()
    expect(sentHeaders(0).get('authorization')).toBe('Bearer second')
  })

  it('is not what a refused sign-in means', async () => {
    const expire = vi.fn()
    setCredentials({ token: () => null, renew: async () => null, expire })
    fetched.mockResolvedValueOnce(answer(401, { ErrorBody: 'Wrong', code: 'bad-credentials' }))
    const attempt = call('signIn', { body: { userId: 'anna', password: 'x' } })
    await expect(attempt).rejects.toMatchObject({ code: 'bad-credentials' })
    expect(expire).not.toHaveBeenCalled()
  })
})

describe('a call that anybody may make', () => {
  /** Opened by address, in the browser or a mail program. */
  const opened = [
    'startOidc',
    'finishOidc',
    'downloadExport',
    'unsubscribeOneClick',
    'openUnsubscribePage',
    'readCalendar',
  ]
  const called = Object.entries<Route>(routes)
    .filter(([name, { access }]) => access.kind === 'public' && !opened.includes(name))
    .map(([name]) => name)

  it.each(called)('asks for no session: %s', async (name) => {
    const renew = vi.fn(async () => null)
    setCredentials({ token: () => null, renew, expire: () => undefined })
    fetched.mockResolvedValueOnce(answer(404, {}))
    await call(name as 'getHealth').catch(() => undefined)
    expect(fetched).toHaveBeenCalledOnce()
    expect(renew).not.toHaveBeenCalled()
  })
})

describe('field problems', () => {
  const refused = (errors: { path: string; message: string }[]) =>
    new ApiError('Not understood', {
      status: 400,
      code: 'validation-failed',
      problem: {
        type: 'urn:benchwatch:error:validation-failed',
        title: 'Invalid request',
        status: 400,
        detail: 'Not understood',
        ErrorBody: 'Not understood',
        code: 'validation-failed',
        requestId: '1',
        errors,
      },
    })

  it('names the field of the body, the list of a place in it, and the key of the address', () => {
    const error = refused([
      { path: 'body.timeZone', message: 'is not an IANA time zone' },
      { path: 'body.customers.3', message: 'is not registered' },
      { path: 'params.key', message: 'must have no blanks' },
      { path: 'body.timeZone', message: 'is too long' },
    ])
    expect(fieldProblems(error)).toEqual({
      timeZone: 'is not an IANA time zone',
      customers: 'is not registered',
      key: 'must have no blanks',
    })
  })

  it('finds nothing in errors without fields', () => {
    expect(fieldProblems(new ApiError('Gone', { status: 404, code: 'not-found' }))).toEqual({})
    expect(fieldProblems(new Error('no'))).toEqual({})
  })
})
