import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { isDeepStrictEqual } from 'node:util'
import cookie from '@fastify/cookie'
import swagger from '@fastify/swagger'
import websocket from '@fastify/websocket'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifySerializerCompiler,
  LogController,
} from 'fastify'
import { jsonSchemaTransform, validatorCompiler } from 'fastify-type-provider-zod'
import type { z } from 'zod'
import type { Log } from '../log.ts'
import { answerFrameworkError, installErrorHandler, pathOf } from './error-handler.ts'
import { answerInTime, refusePipelining, refuseWhileStopping, shedLoad } from './load-shedding.ts'
import { type ProblemError, problem, problemBody } from './problem.ts'
import { installSecurityHeaders, type Openings } from './security-headers.ts'
import { takeJson } from './text-body.ts'

interface Options extends Openings {
  log: Log
  trustProxy: string | number | false
  product: string
  version: string
  /** Compare each answer with its schema; tests and development. */
  checkAnswers: boolean
}

/** Whatever the database does, everybody is answered within 5 s. */
const ANSWER_WITHIN_MS = 4500

/**
 * A connection on which nothing moves for so long, in neither direction, is given up; after twice as long where an answer
 * waits, which Node looks at once more.
 */
const STALLED_MS = 28_000

/** Fastify with everything that each route shares; features are added by app.ts. */
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
    // A list with 500 positions and every filter stays far below; ingest and import set their own.
    bodyLimit: 256 * 1024,
    // The time for one request to arrive whole: a slow sender must not hold a connection for ever. Node looks every half
    // minute by itself, and takes the longer of the two times for the whole request: its own for the headers is a minute.
    requestTimeout: 30_000,
    http: { connectionsCheckingInterval: 5000, headersTimeout: 20_000 },
    keepAliveTimeout: 65_000,
    // Somebody who asks and then reads nothing would hold the answer for ever; routes of longer work set more.
    connectionTimeout: STALLED_MS,
    // Its own answer is no problem+json and has no Retry-After: refuseWhileStopping gives ours.
    return503OnClosing: false,
    // 120 characters of a registry key, each up to nine signs of percent-encoding.
    routerOptions: { maxParamLength: 1080 },
    frameworkErrors: answerFrameworkError,
    logController: new LogController({ disableRequestLogging: log.level !== 'debug' && log.level !== 'trace' }),
  })
  // Only JSON is understood; a body of another type is 415 and not a JSON string.
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
    // The plug-in's own way closes without a code, which tells a browser not to come back.
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

/** 256 random bits in base64url, as links to files carry them. */
const TOKEN = /(?<=\/)[\w-]{43}(?=\/|$)/

/** Addresses are logged without tokens, and without their query, which may hold a keyword with a name. */
function describeRequest(request: { method: string; url: string; ip?: string }) {
  return { method: request.method, path: pathOf(request.url).replace(TOKEN, '…'), from: request.ip }
}

/**
 * How answers become JSON. Types already hold them to the contract, so production only stringifies (0.3 ms per 100
 * rows instead of 0.6); with `check` an answer that differs from its schema, also by a field too many, fails the request.
 */
function answerSerializer(check: boolean): FastifySerializerCompiler<z.ZodType> {
  if (!check) return () => JSON.stringify
  return ({ schema, url, method }) =>
    (answer) => {
      const text = JSON.stringify(answer)
      const sent: unknown = JSON.parse(text)
      const parsed = schema.safeParse(sent)
      if (!parsed.success) throw new Error(`${method} ${url} answers against its contract: ${parsed.error.message}`)
      if (!isDeepStrictEqual(JSON.parse(JSON.stringify(parsed.data)), sent)) {
        throw new Error(`${method} ${url} answers with fields that its contract does not name.`)
      }
      return text
    }
}

/**
 * Answers what Node's parser could not read as a request, before Fastify sees it: raw bytes in an address, headers that
 * are too long, a request that never ends. The connection is closed after it.
 */
function refuseUnreadable(error: Error & { code?: string }, socket: Socket): void {
  // A reset connection hears nothing any more.
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const told = asProblem(error.code)
  const body = JSON.stringify(problemBody(told, randomUUID()))
  socket.end(
    [
      `HTTP/1.1 ${told.status} ${told.title}`,
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
      return problem('headers-too-large', 'Address and headers are too long. Send less in them.')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return problem('request-timeout', 'The request did not arrive whole in time. Send it again.')
    default:
      return problem('unreadable-request', 'This is no valid HTTP request. Percent-encode the address as UTF-8.')
  }
}
