import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { RegisteredGateway } from '../product/fleet.ts'
import type { HttpClient } from '../product/http-client.ts'
import { sendRaw } from '../product/raw-request.ts'

/** The outcome of a poison: the status of the answer, or 0 if the connection was closed without one. */
export interface PoisonOutcome {
  status: number
  tookMs: number
  closed: boolean
  /** Items that the server rejected and keeps aside, with their reason. */
  parked: number
}

export interface Poison {
  name: string
  send(): Promise<PoisonOutcome>
}

interface PoisonTarget {
  client: HttpClient
  gateway: RegisteredGateway
  /** The access token of a user. */
  token: string
}

const MEGABYTE = 1_000_000

/** Poisons from a broken gateway, or from an attacker with its key. */
export function gatewayPoisons({ client, gateway }: PoisonTarget): Poison[] {
  const path = `/api/ingest/v1/gateways/${gateway.name}/batches`
  const contentType = 'application/cloudevents-batch+json'
  const batch = (name: string, body: string | Buffer, contentEncoding?: string): Poison => ({
    name,
    async send() {
      const answer = await client.send({
        ...{ method: 'POST', path, token: gateway.key, contentType, body },
        ...(contentEncoding !== undefined && { contentEncoding }),
      })
      return { ...answer, closed: answer.failure !== null, parked: parkedIn(answer.body) }
    },
  })
  const item = (data: string, { subject = gateway.instruments[0] ?? '', type = 'alarm.raised' } = {}) =>
    `[{"specversion":"1.0","id":"${randomUUID()}-1","source":"/gateways/${gateway.name}","sequence":1,"type":"benchwatch.${type}","subject":"${subject}","time":"${new Date().toISOString()}","data":${data}}]`
  const alarm = (more: string) =>
    `{"alertId":"${randomUUID()}","templateId":"POISON-1","alertType":1,"componentName":"Pump","logGeneratedAt":"${new Date().toISOString()}"${more}}`
  const packed = (name: string, body: string | Buffer): Poison => batch(name, gzipSync(body), 'gzip')
  const head = (length: string) =>
    `POST ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${gateway.key}\r\ncontent-type: ${contentType}\r\n${length}\r\n\r\n`
  const raw = (name: string, request: Parameters<typeof sendRaw>[1]): Poison => ({
    name,
    send: async () => ({ ...(await sendRaw(client.url, request)), parked: 0 }),
  })
  const chunk = Buffer.from(`10000\r\n${'x'.repeat(0x10000)}\r\n`)
  return [
    batch('10 MB with their length', item(`"${'x'.repeat(10 * MEGABYTE)}"`)),
    raw('a chunked body without an end', { begin: head('transfer-encoding: chunked'), again: chunk }),
    raw('a length of a terabyte', { begin: head('content-length: 1000000000000'), again: chunk }),
    batch(
      'invalid UTF-8',
      Buffer.concat([Buffer.from(item(alarm(',"description":"')).slice(0, -4)), Buffer.from([0xff, 0xfe, 0xc3])]),
    ),
    batch('a million fields', item(`{${fields(1_000_000, 'k')}}`)),
    packed('a million fields of one name, packed', item(`{${'"a":0,'.repeat(1_000_000)}"a":0}`)),
    packed('a quarter of a million fields, packed', item(`{${fields(250_000, '')}}`)),
    packed('a million empty items, packed', `[${'{},'.repeat(1_000_000)}{}]`),
    packed(
      '500 items of 15 kB each, none valid, packed',
      `[${Array.from({ length: 500 }, () => `{"id":"${'x'.repeat(15_000)}"}`).join()}]`,
    ),
    batch('nested 100,000 deep', item(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)),
    packed('nested three million deep, packed', item(`${'['.repeat(3 * MEGABYTE)}${']'.repeat(3 * MEGABYTE)}`)),
    packed('objects nested a million deep, packed', item(`${'{"a":'.repeat(MEGABYTE)}0${'}'.repeat(MEGABYTE)}`)),
    packed('a gigabyte of zeros, packed', Buffer.alloc(900 * MEGABYTE)),
    batch('a packed body that is cut', gzipSync(item('{}')).subarray(0, 40), 'gzip'),
    batch('packed twice', gzipSync(gzipSync(item('{}'))), 'gzip'),
    batch('a packing that nobody knows', item('{}'), 'br'),
    batch('NUL in a text', item(alarm(',"description":"a\\u0000b"'))),
    batch('half a surrogate pair', item(alarm(',"userMessage":"\\ud800"'))),
    batch('__proto__ in an alarm', item(alarm(',"__proto__":{"severity":"high","isAdmin":true}'))),
    batch(
      '__proto__ of an item',
      item('{}').replace('"specversion"', '"__proto__":{"type":"benchwatch.heartbeat"},"specversion"'),
    ),
    batch('constructor.prototype', item(alarm(',"constructor":{"prototype":{"polluted":true}}'))),
    batch(
      'numbers beyond counting',
      item(alarm(',"severity":1e999')).replace('"sequence":1,', `"sequence":${'9'.repeat(400)},`),
    ),
    batch(
      'a date that is none',
      item(alarm('').replace(/"logGeneratedAt":"[^"]*"/, '"logGeneratedAt":"+275760-09-13T00:00:00Z"')),
    ),
    batch('no batch', '"batch"'),
    batch('nothing', ''),
    batch(
      'log lines of 64 kB of NUL',
      item(`{"logType":"VID","lines":[${logLine('\\u0000'.repeat(60_000))}]}`, { type: 'log.appended' }),
    ),
    raw('more announced than sent', { begin: `${head('content-length: 5000')}[`, patienceMs: 90_000 }),
    raw('one byte a second', {
      begin: head('content-length: 5000'),
      again: Buffer.from(' '),
      everyMs: 1000,
      patienceMs: 90_000,
    }),
  ]
}

/** Poisons from a user, signed in or not, for the rest of the API. */
export function personPoisons({ client, token }: PoisonTarget): Poison[] {
  const call = (name: string, path: string, body: string | Buffer): Poison => ({
    name,
    async send() {
      // Events are changed by PUT; all other paths are queries.
      const method = path.startsWith('/api/alarms/') ? 'PUT' : 'POST'
      const answer = await client.send({ method, path, token, body })
      return { ...answer, closed: answer.failure !== null, parked: 0 }
    },
  })
  const raw = (name: string, begin: string | Buffer, again?: Buffer): Poison => ({
    name,
    send: async () => ({
      ...(await sendRaw(client.url, { begin, ...(again && { again }), patienceMs: 90_000 })),
      parked: 0,
    }),
  })
  const authorised = `authorization: Bearer ${token}\r\n`
  const list = '/api/alarms?limit=10'
  return [
    call('10 MB', list, `{"filter":{"severity":["${'x'.repeat(10 * MEGABYTE)}"]}}`),
    call(
      'invalid UTF-8',
      list,
      Buffer.concat([Buffer.from('{"filter":{"siteCity":["'), Buffer.from([0xff, 0xc0]), Buffer.from('"]}}')]),
    ),
    call('20,000 categories', list, `{"filter":{${fields(20_000, 'c')}}}`),
    call(
      '20,000 values',
      list,
      `{"filter":{"siteCity":[${Array.from({ length: 20_000 }, (_, at) => `"${at}"`).join()}]}}`,
    ),
    call('nested 100,000 deep', list, `{"filter":${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
    call('NUL in a filter', list, '{"filter":{"siteCity":["a\\u0000"]}}'),
    call('NUL in a keyword', `${list}&keyword=%00a`, '{"filter":{}}'),
    call('__proto__ as a filter', list, '{"filter":{"__proto__":{"severity":["high"]}}}'),
    call('__proto__ of a change', '/api/alarms/1', '{"__proto__":{"claimedBy":"1"}}'),
    call('constructor of a change', '/api/alarms/1', '{"constructor":{"prototype":{"claimedBy":"1"}}}'),
    call('a limit beyond counting', '/api/alarms?limit=1e309&offset=99999999999999999999', '{"filter":{}}'),
    call('a parameter a thousand times', `/api/alarms?${'limit=1&'.repeat(1000)}`, '{"filter":{}}'),
    call('an id of 30 digits', `/api/alarms/${'9'.repeat(30)}`, '{}'),
    call('no JSON', list, '{"filter":{}'),
    raw(
      'an address of 100 kB',
      `GET /api/alarms?keyword=${'a'.repeat(100_000)} HTTP/1.1\r\nhost: x\r\n${authorised}\r\n`,
    ),
    raw('100,000 headers', `GET /api/health HTTP/1.1\r\nhost: x\r\n${'a: b\r\n'.repeat(100_000)}\r\n`),
    raw(
      'headers without an end',
      'GET /api/health HTTP/1.1\r\nhost: x\r\n',
      Buffer.from(`x-${'a'.repeat(500)}: b\r\n`),
    ),
    raw(
      'an address of raw bytes',
      Buffer.concat([
        Buffer.from('GET /api/'),
        Buffer.from([0, 0xff, 0x80]),
        Buffer.from(' HTTP/1.1\r\nhost: x\r\n\r\n'),
      ]),
    ),
    raw(
      'two lengths',
      `POST ${list} HTTP/1.1\r\nhost: x\r\n${authorised}content-length: 2\r\ncontent-length: 40\r\n\r\n{}`,
    ),
    raw(
      'a length and chunks',
      `POST ${list} HTTP/1.1\r\nhost: x\r\n${authorised}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    ),
    raw('nonsense', Buffer.from('\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'.repeat(50), 'latin1')),
  ]
}

/** Frames for the live connection: each must end that connection or be ignored. */
export function livePoisons({ client, token }: PoisonTarget): Poison[] {
  const frame = (name: string, bytes: Buffer, again?: Buffer): Poison => ({
    name: `live: ${name}`,
    async send() {
      const answer = await client.send({ method: 'POST', path: '/api/auth/live-token', token })
      const live = (JSON.parse(answer.body) as { token: string }).token
      const handshake = `GET /api/live?token=${live} HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: ${Buffer.alloc(16, 7).toString('base64')}\r\n\r\n`
      const begin = Buffer.concat([Buffer.from(handshake), bytes])
      return { ...(await sendRaw(client.url, { begin, ...(again && { again }), patienceMs: 10_000 })), parked: 0 }
    },
  })
  /** Returns the head of a masked frame: FIN and opcode, a 64-bit length, a mask of zeros. */
  const masked = (opcode: number, length: number) => {
    const head = Buffer.alloc(14)
    head[0] = opcode
    head[1] = 0xff
    head.writeBigUInt64BE(BigInt(length), 2)
    return head
  }
  return [
    frame('a frame of a gigabyte', masked(0x81, 1e9), Buffer.alloc(65_536, 120)),
    frame('a text that is no UTF-8', Buffer.concat([masked(0x81, 4), Buffer.from([0xff, 0xfe, 0xfd, 0xfc])])),
    frame('a frame that is not masked', Buffer.from([0x81, 0x01, 0x61])),
    frame('a kind of frame that nobody knows', Buffer.from([0x8f, 0x80, 0, 0, 0, 0])),
    frame('parts without an end', masked(0x01, 1000), Buffer.concat([Buffer.alloc(1000, 97), masked(0x00, 1000)])),
  ]
}

function fields(count: number, prefix: string): string {
  return Array.from({ length: count }, (_, at) => `"${prefix}${at.toString(36)}":0`).join()
}

function logLine(message: string): string {
  return `{"timestamp":"${new Date().toISOString()}","message":"${message}"}`
}

function parkedIn(body: string): number {
  try {
    return (JSON.parse(body) as { rejected?: unknown[] }).rejected?.length ?? 0
  } catch {
    return 0
  }
}
