import type { IncomingHttpHeaders } from 'node:http'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { z } from 'zod'
import { textOf } from '../mapping/conditions.ts'
import { type RunningMapping, startMapping } from '../mapping/mapping.ts'
import { checkTemplates, mappedSource } from '../mapping/rules.ts'
import type { Facts } from '../mapping/templates.ts'
import type { Source, SourceContext } from '../source.ts'
import { addressWithPort, cannotListen, hostAndPort } from './address.ts'
import { isSecret, readSecret } from './secret.ts'

/**
 * Takes messages that other programs post: webhooks and log shippers. They get their answer when the reports are on
 * disk, and an error that makes them repeat the request otherwise.
 */

const formats = ['alertmanager', 'grafana', 'elasticsearch', 'cloudevents', 'json'] as const
type Format = (typeof formats)[number]

export const httpSource = z
  .strictObject({
    kind: z.literal('http'),
    ...mappedSource,
    listen: addressWithPort('127.0.0.1:8090'),
    /** Without a token, anyone who can reach the port may report. */
    tokenFile: z.string().optional(),
    maxBytes: z.number().int().min(1000).max(50_000_000).default(5_000_000),
    routes: z
      .array(z.strictObject({ path: z.string().regex(/^\/[^?#]*$/, 'must begin with /'), format: z.enum(formats) }))
      .min(1)
      .max(100),
  })
  .superRefine(checkTemplates)
export type HttpConfig = z.output<typeof httpSource>
type Route = HttpConfig['routes'][number]

/** Requests that are read or written at the same time. */
const MOST_IN_FLIGHT = 32

/** Time for requests in flight to finish when the program ends. */
const LAST_REQUEST_MS = 2000

const unzip = promisify(gunzip)

class Refusal extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export function httpIn(config: HttpConfig): Source {
  return async (context) => {
    const token = config.tokenFile === undefined ? null : await readSecret(config.tokenFile)
    const mapping = startMapping(config, context)
    let inFlight = 0
    const server = createServer((request, response) => {
      inFlight++
      serve(request, response, { config, context, mapping, token, isFull: inFlight > MOST_IN_FLIGHT })
        .catch((error: unknown) => refuse(response, error, context))
        .finally(() => inFlight--)
        .catch(() => response.destroy())
    })
    server.requestTimeout = 60_000
    await new Promise<void>((resolve, reject) => {
      // Later errors, such as too many open files, must not end the program.
      server.on('error', (error) => {
        context.log.error({ err: error }, 'The HTTP server has an error.')
        reject(error)
      })
      server.listen(hostAndPort(config.listen), resolve)
    }).catch(async (error: unknown) => {
      await mapping.stop()
      throw cannotListen(config.listen, error)
    })
    context.link(config.name, 'up')
    return {
      async stop() {
        const closed = new Promise<void>((resolve) => server.close(() => resolve()))
        server.closeIdleConnections()
        const timer = setTimeout(() => server.closeAllConnections(), LAST_REQUEST_MS)
        await closed
        clearTimeout(timer)
        await mapping.stop()
      },
    }
  }
}

interface Serving {
  config: HttpConfig
  context: SourceContext
  mapping: RunningMapping
  token: string | null
  isFull: boolean
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  { config, context, mapping, token, isFull }: Serving,
): Promise<void> {
  const { pathname } = URL.parse(request.url ?? '/', 'http://gateway') ?? {}
  if (pathname === undefined) throw new Refusal(400, 'The address is not valid.')
  if (token !== null && !isAllowed(request.headers.authorization, token))
    throw new Refusal(401, "The token is missing or wrong. Send 'Authorization: Bearer <token>'.")
  const route = routeOf(config.routes, pathname)
  if (!route)
    throw new Refusal(
      404,
      `Nothing is taken at ${pathname}. Post to ${config.routes.map(({ path }) => path).join(', ')}.`,
    )
  if (request.method !== 'POST' && request.method !== 'PUT') {
    if (route.format !== 'elasticsearch') throw new Refusal(405, 'Post a message.')
    // Shippers ask for the version before they send.
    answer(response, 200, {
      name: 'benchwatch',
      version: { number: '8.17.0', build_flavor: 'default' },
      tagline: 'You Know, for Search',
    })
    return
  }
  if (isFull) throw new Refusal(429, 'Too many requests are in flight. Try again in a few seconds.')
  const body = await readBody(request, config.maxBytes)
  const { messages, faults, reply } = readMessages(body, {
    format: route.format,
    path: pathname,
    headers: request.headers,
  })
  for (const fault of faults) context.fault(fault)
  await mapping.take(messages)
  if (context.isTrial) throw new Refusal(503, 'This is a trial of the mapping; nothing is kept.')
  answer(response, 200, reply)
}

/** Returns the route with the longest path that fits. Elasticsearch clients add names of indexes and `_bulk`. */
function routeOf(routes: readonly Route[], pathname: string): Route | undefined {
  const fits = ({ path, format }: Route) =>
    pathname === path || (format === 'elasticsearch' && pathname.startsWith(path.endsWith('/') ? path : `${path}/`))
  return routes.filter(fits).sort((a, b) => b.path.length - a.path.length)[0]
}

/** Takes `Bearer` and the password of `Basic`, which log shippers send. */
function isAllowed(header: string | undefined, token: string): boolean {
  const [scheme = '', value = ''] = (header ?? '').split(' ')
  return isSecret(scheme.toLowerCase() === 'basic' ? passwordOf(value) : value, token)
}

function passwordOf(credentials: string): string {
  const text = Buffer.from(credentials, 'base64').toString('utf8')
  return text.slice(text.indexOf(':') + 1)
}

async function readBody(request: IncomingMessage, maxBytes: number): Promise<string> {
  const tooLarge = new Refusal(413, `The body is larger than maxBytes (${maxBytes}). Send less at once.`)
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length
    if (bytes > maxBytes) throw tooLarge
    chunks.push(chunk as Buffer)
  }
  const sent = Buffer.concat(chunks)
  const encoding = request.headers['content-encoding'] ?? 'identity'
  if (encoding === 'identity') return sent.toString('utf8')
  if (encoding !== 'gzip') throw new Refusal(415, `Content-Encoding ${encoding} is not supported. Send gzip, or none.`)
  const unpacked = await unzip(sent, { maxOutputLength: maxBytes }).catch((error: unknown) => {
    throw error instanceof RangeError ? tooLarge : new Refusal(400, 'The body is not gzip.')
  })
  return unpacked.toString('utf8')
}

function refuse(response: ServerResponse, error: unknown, { log, fault }: SourceContext): void {
  if (error instanceof Unreadable) {
    fault(error.message)
    answer(response, 400, { error: error.message })
  } else if (error instanceof Refusal) {
    if (error.status === 413 || error.status === 415 || error.status === 400) fault(error.message)
    answer(response, error.status, { error: error.message })
  } else {
    log.error({ err: error }, 'A request could not be stored; its sender will repeat it. Check the disk.')
    answer(response, 503, { error: 'The report could not be stored. Try again later.' })
  }
}

function answer(response: ServerResponse, status: number, body: object): void {
  if (response.headersSent || response.destroyed) return
  response.writeHead(status, {
    'content-type': 'application/json',
    // Elasticsearch clients refuse any other server.
    'x-elastic-product': 'Elasticsearch',
    ...((status === 429 || status === 503) && { 'retry-after': '5' }),
    // The rest of a body that is too large is not read.
    ...(status === 413 && { connection: 'close' }),
  })
  response.end(JSON.stringify(body))
}

/** A body that can't be read as a whole; the message gives the sender the reason. */
class Unreadable extends Error {}

interface ReadBody {
  messages: Facts[]
  /** Sentences about parts that can't be read. They are not sent again. */
  faults: string[]
  /** The answer that the sender expects. */
  reply: object
}

/** Reads a body into the facts of a mapping. Throws Unreadable. */
function readMessages(
  text: string,
  { format, path, headers }: { format: Format; path: string; headers: IncomingHttpHeaders },
): ReadBody {
  switch (format) {
    case 'alertmanager':
    case 'grafana':
      return alerts(text, path)
    case 'elasticsearch':
      return bulk(text, path)
    case 'cloudevents':
      return cloudEvents(text, { path, headers })
    case 'json':
      return all(listOf(parse(text)).map((json) => ({ path, json })))
  }
}

const all = (messages: Facts[]): ReadBody => ({ messages, faults: [], reply: { taken: messages.length } })

const alertBody = z.object({
  alerts: z.array(
    z.looseObject({
      status: z.enum(['firing', 'resolved']),
      labels: z.record(z.string(), z.string()),
      annotations: z.record(z.string(), z.string()).default({}),
      startsAt: z.string(),
      endsAt: z.string().optional(),
      fingerprint: z.string().min(1),
    }),
  ),
})

/** Prometheus Alertmanager and Grafana send the same fields. An alert keeps its fingerprint until it is resolved. */
function alerts(text: string, path: string): ReadBody {
  const parsed = alertBody.safeParse(parse(text))
  if (!parsed.success)
    throw new Unreadable(`This is not a webhook of Alertmanager or Grafana: ${z.prettifyError(parsed.error)}`)
  return all(
    parsed.data.alerts.map((alert) => {
      const active = alert.status === 'firing'
      return {
        ...alert,
        path,
        active,
        key: alert.fingerprint,
        id: `${alert.fingerprint} ${alert.startsAt}`,
        time: active ? alert.startsAt : alert.endsAt,
      }
    }),
  )
}

const ACTIONS = ['index', 'create', 'update', 'delete'] as const

/** The bulk format of Elasticsearch: a line with the action, then a line with the document. */
function bulk(text: string, path: string): ReadBody {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const messages: Facts[] = []
  const faults: string[] = []
  const items: object[] = []
  for (let at = 0; at < lines.length; at++) {
    const head = object(lines[at] ?? '')
    const action = ACTIONS.find((name) => head && name in head)
    if (!action) throw new Unreadable(`Line ${at + 1} is not an action of _bulk, such as {"create": {}}.`)
    if (action === 'delete' || action === 'update') {
      if (action === 'update') at++
      faults.push(`Line ${at + 1}: documents can only be added, not changed.`)
      items.push({ [action]: { status: 400, error: { type: 'illegal_argument_exception', reason: 'Only adds.' } } })
      continue
    }
    const line = lines[++at]
    const document = line === undefined ? null : object(line)
    if (document) {
      messages.push({ time: document['@timestamp'], ...document, path })
      items.push({ [action]: { _index: 'benchwatch', _id: String(items.length), status: 201, result: 'created' } })
    } else {
      const reason = `Line ${at + 1} is not a JSON object.`
      faults.push(reason)
      items.push({ [action]: { status: 400, error: { type: 'document_parsing_exception', reason } } })
    }
  }
  return { messages, faults, reply: { took: 0, errors: faults.length > 0, items } }
}

const cloudEvent = z.looseObject({ specversion: z.string(), id: z.string(), type: z.string(), source: z.string() })

/** CloudEvents 1.0 over HTTP: structured, batched, or binary (attributes in headers). */
function cloudEvents(text: string, { path, headers }: { path: string; headers: IncomingHttpHeaders }): ReadBody {
  const attributes = Object.entries(headers).filter(([name]) => name.startsWith('ce-'))
  const given =
    attributes.length > 0
      ? { ...Object.fromEntries(attributes.map(([name, value]) => [name.slice(3), value])), data: parse(text) }
      : parse(text)
  const parsed = z.array(cloudEvent).safeParse(listOf(given))
  if (!parsed.success) throw new Unreadable(`This is not a CloudEvent: ${z.prettifyError(parsed.error)}`)
  return all(
    parsed.data.map((event) => ({
      ...event,
      id: `${event.source} ${event.id} ${textOf(event['time'])}`,
      // Without a time, the id alone may be one that a script always gives.
      ...(event['time'] !== undefined && { repeated: true }),
      path,
    })),
  )
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value]
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Unreadable('The body is not JSON.')
  }
}

function object(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}
