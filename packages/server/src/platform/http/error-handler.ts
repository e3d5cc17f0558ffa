import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { isPassingDatabaseError } from '../passing-database-error.ts'
import { ProblemError, problem, problemBody } from './problem.ts'
import { setSecurityHeaders } from './security-headers.ts'

/**
 * Finds the places where a request is invalid, in a form that helps the caller: for a union, zod only says that no
 * alternative fits.
 */

/** The used part of an issue of zod. */
export interface Issue {
  code: string
  path: readonly PropertyKey[]
  message: string
  /** For a union: the issues of each alternative, with paths relative to the union. */
  errors?: readonly (readonly Issue[])[]
  /** Unknown fields of an object. */
  keys?: readonly string[]
}

/** Sends every error as problem+json. Internal errors are logged and never shown. */
export function installErrorHandler(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const known = asProblem(error, request)
    if (isBrokenOff(request) && !(error instanceof ProblemError)) {
      request.log.info({ code: known.code }, 'the client disconnected during its request')
    }
    // Errors thrown as a problem are intended: a refusal under load must not fill the log as well.
    else if (known.status >= 500 && !(error instanceof ProblemError)) {
      request.log.error({ err: error, code: known.code }, 'request failed')
    } else if (known.status >= 500 && known.extras.cause) {
      request.log.warn({ err: known.extras.cause, code: known.code }, 'another service failed the request')
    }
    return sendProblem(known, request, reply)
  })
}

/** Returns true if the caller disconnected: then there is no error, and the answer is not read. */
function isBrokenOff({ raw }: FastifyRequest): boolean {
  return raw.destroyed && !raw.complete
}

/** Does the same for errors before a route is found. Hooks don't run then, so the headers are set here. */
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

/** Answers requests without a route: everything on a server without a console, and every path below /api. */
export function answerNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendProblem(
    problem('not-found', `There is nothing at ${request.method} ${pathOf(request.url)}.`),
    request,
    reply,
  )
}

/** Returns the URL without its query, which may contain a token or a keyword with a name. */
export function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? url
}

/** Converts any error of a request to the one that is answered. */
export function asProblem(error: FastifyError, request: FastifyRequest): ProblemError {
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
        'The body is not valid JSON, or it contains a forbidden key such as __proto__. Send a JSON document as UTF-8 with its correct length.',
      )
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return problem('payload-too-large', 'The body is too large. Send less at a time.')
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return problem('unsupported-media-type', `Send the body as ${bodyTypesOf(request).join(' or ')}.`)
    case 'FST_ERR_BAD_URL':
      return problem('validation-failed', 'The address is not valid. Send it as UTF-8, percent-encoded.', {
        errors: [{ path: 'params', message: 'is not valid percent-encoded UTF-8' }],
      })
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return problem('not-found', 'There is nothing at this address; it is too long.')
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

/**
 * Returns the issue itself or, for a union of objects, the issues of the alternative that the caller most likely
 * meant: the one with the fewest invalid and unknown fields. A union of plain values keeps its own message.
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
