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
