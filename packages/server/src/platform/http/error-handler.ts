import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { ProblemError, problem, problemBody } from './problem.ts'
import { setSecurityHeaders } from './security-headers.ts'

/** Where a request is wrong, as a caller can use it: zod says of several alternatives only that none fits. */

/** What zod says of one place, as far as it matters here. */
export interface Issue {
  code: string
  path: readonly PropertyKey[]
  message: string
  /** Of a union: what is wrong by each of its alternatives, with paths from the union on. */
  errors?: readonly (readonly Issue[])[]
  /** Fields that an object doesn't have. */
  keys?: readonly string[]
}

/** PostgreSQL failures that pass: the caller may repeat. Class 08 connection, 53 resources, 57P shutdown, 57014 time-out. */
const passingDatabaseError = /^(?:08|53|57P|57014|55P03|ECONN|EPIPE)/
/** What the driver says by itself, without a code, when a connection breaks or none is to be had. */
const passingDriverError =
  /^(?:timeout exceeded when trying to connect|Query read timeout|Connection terminated|Client has encountered)/

/** Every error leaves as problem+json; what the server itself did wrong is logged and never shown. */
export function installErrorHandler(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const told = asProblem(error, request)
    if (isBrokenOff(request) && !(error instanceof ProblemError)) {
      request.log.info({ code: told.code }, 'the sender hung up within its request')
    }
    // What was thrown as a problem was meant: a refusal under load must not fill the log as well.
    else if (told.status >= 500 && !(error instanceof ProblemError)) {
      request.log.error({ err: error, code: told.code }, 'request failed')
    } else if (told.status >= 500 && told.extras.cause) {
      request.log.warn({ err: told.extras.cause, code: told.code }, 'another service failed the request')
    }
    return sendProblem(told, request, reply)
  })
}

/** Nothing is wrong here then, and nobody reads the answer. */
function isBrokenOff({ raw }: FastifyRequest): boolean {
  return raw.destroyed && !raw.complete
}

/** The same for what goes wrong before a route is found; no hook runs then, so the headers are set here. */
export function answerFrameworkError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  setSecurityHeaders(request, reply)
  sendProblem(asProblem(error, request), request, reply)
}

export function sendProblem(error: ProblemError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error.extras.retryAfter !== undefined) reply.header('retry-after', String(error.extras.retryAfter))
  if (error.status === 401) reply.header('www-authenticate', 'Bearer')
  return reply
    .code(error.status)
    .type('application/problem+json; charset=utf-8')
    .serializer((body: unknown) => JSON.stringify(body))
    .send(problemBody(error, request.id))
}

/** What lies at no route: the answer of a server without a console, and of every path below /api. */
export function answerNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendProblem(
    problem('not-found', `There is nothing at ${request.method} ${pathOf(request.url)}.`),
    request,
    reply,
  )
}

/** The address without its query, which may hold a keyword with a name, or a token. */
export function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? url
}

function asProblem(error: FastifyError, request: FastifyRequest): ProblemError {
  if (error instanceof ProblemError) return error
  if (hasZodFastifySchemaValidationErrors(error)) {
    const part = error.validationContext === 'querystring' ? 'query' : error.validationContext
    const errors = error.validation
      .flatMap(({ keyword, instancePath, message, params }) =>
        badPlaces({
          code: keyword,
          path: instancePath.split('/').slice(1),
          message: message ?? 'is not valid',
          ...params,
        }),
      )
      .map(({ path, message }) => ({ path: [part, ...path].filter(Boolean).join('.'), message }))
    const [first] = errors
    return problem('validation-failed', first ? `${first.path}: ${first.message}` : 'The request is not valid.', {
      errors,
    })
  }
  switch (error.code) {
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return problem(
        'malformed-json',
        'The body is not valid JSON, or it holds a key such as __proto__ that is not taken. Send a JSON document as UTF-8 with its right length.',
      )
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return problem('payload-too-large', 'The body is too large. Send less at a time.')
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return problem('unsupported-media-type', `Send the body as ${bodyTypesOf(request).join(' or ')}.`)
    case 'FST_ERR_BAD_URL':
      return problem('validation-failed', 'The address is not valid. Send it as UTF-8, percent-encoded.', {
        errors: [{ path: 'params', message: 'is not valid UTF-8, percent-encoded' }],
      })
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return problem('not-found', 'There is nothing at an address as long as this.')
    default:
  }
  if (isPassingDatabaseError(error)) {
    return problem('unavailable', 'The database is not responding. Try again in a moment.', { retryAfter: 2 })
  }
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return problem('validation-failed', 'The request is not valid.')
  }
  return problem('internal', 'Something went wrong on the server. It has been logged; try again or contact support.')
}

function bodyTypesOf(request: FastifyRequest): readonly string[] {
  return request.routeOptions.config.route?.bodyTypes ?? ['application/json']
}

/** Whether the database, and not what it was asked, made this error: a repeat may succeed. */
export function isPassingDatabaseError(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code = '', syscall } = error as { code?: string; syscall?: string }
  // A refused, missing or unreachable address says nothing about the request either.
  return syscall === 'connect' || passingDatabaseError.test(code) || passingDriverError.test(error.message)
}

/**
 * The issue itself, or where it is a union of objects, what is wrong by the alternative that the caller must have meant: the
 * one with the fewest wrong and unknown fields. A union of plain values keeps its own words.
 */
export function badPlaces(issue: Issue): Issue[] {
  const alternatives = (issue.errors ?? []).filter((issues) => issues.some(isOfField))
  const [meant] = alternatives.sort((a, b) => wrongFields(a) - wrongFields(b))
  if (issue.code !== 'invalid_union' || !meant) return [issue]
  return meant.flatMap((inner) => badPlaces({ ...inner, path: [...issue.path, ...inner.path] }))
}

function isOfField({ path, keys = [] }: Issue): boolean {
  return path.length > 0 || keys.length > 0
}

function wrongFields(issues: readonly Issue[]): number {
  return new Set(issues.flatMap(({ path, keys = [] }) => [...path.slice(0, 1), ...keys])).size
}
