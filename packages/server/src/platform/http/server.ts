import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { isDeepStrictEqual } from 'node:util'
import cookie from '@fastify/cookie'
import swagger from '@fastify/swagger'
import websocket from '@fastify/websocket'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifySerializerCompiler,
  LogController,
} from 'fastify'
import { jsonSchemaTransform, validatorCompiler } from 'fastify-type-provider-zod'
import type { z } from 'zod'
import { InFlight, Queue } from '../concurrency.ts'
import type { Log } from '../log.ts'
import { answerFrameworkError, installErrorHandler, pathOf } from './error-handler.ts'
import { type ProblemError, problem, problemBody } from './problem.ts'
import { installSecurityHeaders, type PolicyOptions } from './security-headers.ts'
import { takeJson } from './text-body.ts'

interface Options extends PolicyOptions {
  log: Log
  trustProxy: string[] | number | false
  product: string
  version: string
  /** Validates each answer against its schema; for tests and development. */
  checkAnswers: boolean
}

/** Every request is answered within 5 s, whatever the database does. */
const ANSWER_WITHIN_MS = 4500

/**
 * A connection that is idle in both directions for this long is closed; after twice as long if an answer is pending,
 * because Node then checks once more.
 */
const STALLED_MS = 28_000

/** Creates a Fastify server with everything that routes share; app.ts adds the features. */
export async function createHttpServer({
  log,
  trustProxy,
  product,
  version,
  checkAnswers,
  ...openings
}: Options): Promise<FastifyInstance> {
  const logger: FastifyBaseLogger = log.child({}, { serializers: { req: describeRequest } })
  const app = Fastify({
    loggerInstance: logger,
    clientErrorHandler: refuseUnreadable,
    trustProxy: typeof trustProxy === 'number' ? (_address, hop) => hop < trustProxy : trustProxy,
    genReqId: () => randomUUID(),
    // A list with 500 positions and every filter stays far below this limit; ingest and import set their own.
    bodyLimit: 256 * 1024,
    // Time for one request to arrive completely, so that a slow sender can't hold a connection forever. Node checks
    // every 30 seconds, and applies the longer of this time and that for the headers, which is a minute.
    requestTimeout: 30_000,
    http: { connectionsCheckingInterval: 5000, headersTimeout: 20_000 },
    keepAliveTimeout: 65_000,
    // A client that requests but never reads would hold its answer forever; routes of long work set more.
    connectionTimeout: STALLED_MS,
    // The answer of Fastify is not problem+json and has no Retry-After; refuseWhileStopping answers instead.
    return503OnClosing: false,
    // 120 characters of a registry key, each up to nine characters when percent-encoded.
    routerOptions: { maxParamLength: 1080 },
    frameworkErrors: answerFrameworkError,
    logController: new LogController({ disableRequestLogging: log.level !== 'debug' && log.level !== 'trace' }),
  })
  // Only JSON is accepted; a body of another type gets a 415 instead of being read as a JSON string.
  app.removeContentTypeParser('text/plain')
  takeJson(app, { whenEmpty: 'refuse' })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(answerSerializer(checkAnswers))
  installErrorHandler(app)
  installSecurityHeaders(app, openings)
  refusePipelining(app)
  answerInTime(app, ANSWER_WITHIN_MS)
  refuseWhileStopping(app)
  shedLoad(app)
  await app.register(cookie)
  await app.register(websocket, {
    options: { maxPayload: 16 * 1024, perMessageDeflate: false },
    errorHandler: (error, socket, request) => {
      request.log.warn({ err: error }, 'a live connection failed')
      socket.terminate()
    },
    // By default the plug-in closes without a code, which tells a browser not to reconnect.
    preClose(done) {
      for (const socket of app.websocketServer.clients) socket.close(1012)
      app.websocketServer.close()
      done()
    },
  })
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: `${product} API`, version },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
      security: [{ bearer: [] }],
    },
    transform: jsonSchemaTransform,
  })
  return app
}

/** 256 random bits in base64url, as in the links to files. */
const TOKEN = /(?<=\/)[\w-]{43}(?=\/|$)/

/** Removes tokens from the logged URL, and its query, which may contain a keyword with a name. */
function describeRequest(request: { method: string; url: string; ip?: string }) {
  return { method: request.method, path: pathOf(request.url).replace(TOKEN, '…'), from: request.ip }
}

/**
 * Serializes answers as JSON. Types already guarantee the contract, so production only stringifies (0.3 ms per 100
 * rows instead of 0.6 ms). With `check`, an answer that differs from its schema, even by an additional field, fails
 * the request.
 */
function answerSerializer(check: boolean): FastifySerializerCompiler<z.ZodType> {
  if (!check) return () => JSON.stringify
  return ({ schema, url, method }) =>
    (answer) => {
      const text = JSON.stringify(answer)
      const sent: unknown = JSON.parse(text)
      const parsed = schema.safeParse(sent)
      if (!parsed.success) throw new Error(`${method} ${url} violates its contract: ${parsed.error.message}`)
      if (!isDeepStrictEqual(JSON.parse(JSON.stringify(parsed.data)), sent)) {
        throw new Error(`${method} ${url} returns fields that its contract does not declare.`)
      }
      return text
    }
}

/**
 * Answers requests that Node's parser could not read, before they reach Fastify: raw bytes in a URL, headers that are
 * too long, a request that never ends. Closes the connection afterwards.
 */
function refuseUnreadable(error: Error & { code?: string }, socket: Socket): void {
  // A reset connection can't receive an answer.
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const answer = asProblem(error.code)
  const body = JSON.stringify(problemBody(answer, randomUUID()))
  socket.end(
    [
      `HTTP/1.1 ${answer.status} ${answer.title}`,
      'content-type: application/problem+json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      'cache-control: no-store',
      "content-security-policy: default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options: nosniff',
      'referrer-policy: no-referrer',
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}

function asProblem(code: string | undefined): ProblemError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return problem('headers-too-large', 'The address and the headers are too long. Shorten them.')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return problem('request-timeout', 'The request did not arrive completely in time. Send it again.')
    default:
      return problem('unreadable-request', 'This is not a valid HTTP request. Percent-encode the address as UTF-8.')
  }
}

/**
 * Limits for requests of users in flight. Above them, requests are refused at once instead of being kept until the
 * user has given up.
 */
export interface RequestLimits {
  /** Lists and everything else that can be requested again. */
  reads: number
  /** Total including the reads, so changes are refused last. */
  all: number
  /**
   * If the oldest request takes longer than `slowMs`, only this share of the limits applies: a list may take 15 ms or
   * 500 ms.
   */
  slowMs: number
  shareWhenSlow: number
  /** Concurrent requests from the waiting line: fewer than the database's connections, so that lists find free ones. */
  fromLine: number
}

const defaultLimits: RequestLimits = { reads: 100, all: 200, slowMs: 1500, shareWhenSlow: 0.2, fromLine: 6 }
/** Requests beyond this length are refused. */
const LONGEST_LINE = 10_000

/**
 * Refuses reads first, then changes, with 503 and Retry-After under too much load. Gateway requests don't count: they
 * have their own admission control and connections, so they are affected last. Health and readiness always answer.
 * Routes with a waiting line queue instead: when two thousand consoles reconnect in the same second, nine of ten would
 * be refused, and again a second later.
 */
export function shedLoad(app: FastifyInstance, limits: RequestLimits = defaultLimits): void {
  const inFlight = new InFlight()
  const line = new Queue({ atOnce: limits.fromLine, maxWaiting: LONGEST_LINE })
  app.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.config.route?.waitsInLine) {
      await untilItsTurn(line, reply)
      return
    }
    const limit = limitOf(request, limits)
    if (limit === null) return
    const share = inFlight.longestWait > limits.slowMs ? limits.shareWhenSlow : 1
    if (inFlight.count >= limit * share) throw overloaded()
    const end = inFlight.begin()
    // An aborted request only emits close, and an injected one only finish.
    reply.raw.once('finish', end)
    reply.raw.once('close', end)
  })
}

/**
 * Resolves when enough earlier requests are answered. The place in the line is released when this one is answered or
 * its caller disconnects.
 */
function untilItsTurn(line: Queue, { raw }: FastifyReply): Promise<void> {
  return new Promise((resolve, reject) => {
    const turn = line.take('line', async () => {
      resolve()
      if (!raw.destroyed && !raw.writableEnded) await new Promise((over) => raw.once('close', over))
    })
    if (turn === undefined) reject(overloaded())
  })
}

function overloaded(): ProblemError {
  return problem('overloaded', 'The server is busy. Try again in a moment.', {
    retryAfter: 1,
  })
}

function limitOf(request: FastifyRequest, { reads, all }: RequestLimits): number | null {
  const { route } = request.routeOptions.config
  if (!route || route.access.kind === 'gateway') return null
  // Long work says nothing about the speed of lists, and has its own limits.
  if (route.answerSeconds !== undefined) return null
  if (route.access.kind === 'public' && route.method === 'GET') return null
  return ['PUT', 'PATCH', 'DELETE'].includes(route.method) ? all : reads
}

/** Clients wait for the last answer before the next request; a proxy may be one or two requests ahead. */
const AHEAD = 4

/**
 * Refuses a request before it is processed if its connection has several unanswered ones: a thousand fit into 64 kB,
 * and the server would have to keep a thousand answers for a client that does not read them.
 */
export function refusePipelining(app: FastifyInstance): void {
  const unanswered = new WeakMap<object, number>()
  app.addHook('onRequest', async (request, reply) => {
    const { socket } = request.raw
    const count = unanswered.get(socket) ?? 0
    unanswered.set(socket, count + 1)
    reply.raw.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1))
    if (count < AHEAD) return
    throw problem('too-many-requests', 'This connection has too many unanswered requests. Read their answers first.', {
      retryAfter: 1,
    })
  })
}

/** Refuses requests on open connections while the server stops, which closes the connections. */
export function refuseWhileStopping(app: FastifyInstance): void {
  let isStopping = false
  app.addHook('preClose', async () => {
    isStopping = true
  })
  app.addHook('onRequest', async (_request, reply) => {
    if (!isStopping) return
    reply.header('connection', 'close')
    throw problem('unavailable', 'The server is restarting. Try again in a moment.', { retryAfter: 1 })
  })
}

/**
 * Answers 503 if an answer takes too long; routes of long work set their own limit. The database timeouts end the work
 * itself. The time starts when the request has arrived completely: a batch of 1 MB takes longer over a slow connection
 * and would be refused forever. requestTimeout limits the arrival. The time ends when the answer begins: a large file
 * may take as long as the client reads it, which the connection timeouts watch. The handlerTimeout of Fastify would
 * end as soon as a body was read, because Node closes the request then.
 */
export function answerInTime(app: FastifyInstance, withinMs: number): void {
  const timers = new WeakMap<FastifyRequest, NodeJS.Timeout>()
  const arriving = new WeakSet<FastifyRequest>()
  app.addHook('onRequest', async (request, reply) => {
    const { route } = request.routeOptions.config
    const timer = setTimeout(
      () => {
        if (reply.sent || reply.raw.headersSent) return
        if (arriving.has(request) && !request.raw.complete) {
          timer.refresh()
          return
        }
        reply.send(
          problem('unavailable', 'The server is taking too long to answer. Try again in a moment.', { retryAfter: 2 }),
        )
      },
      route?.answerSeconds === undefined ? withinMs : route.answerSeconds * 1000,
    )
    for (const end of ['finish', 'close']) reply.raw.once(end, () => clearTimeout(timer))
    // The connection is idle in the meantime. An injected request has none.
    if (route?.answerSeconds !== undefined) request.raw.socket.setTimeout?.((route.answerSeconds + 60) * 1000)
    timers.set(request, timer)
  })
  app.addHook('preParsing', async (request) => {
    // A request that is complete by now has only waited for authentication in the database, so its timer is right.
    if (request.raw.complete) return
    arriving.add(request)
    request.raw.once('end', () => timers.get(request)?.refresh())
  })
}
