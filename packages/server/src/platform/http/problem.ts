import { type ErrorCode, errorCatalogue, type Problem } from '@benchwatch/contract/errors'

interface Extras {
  /** The invalid places of the request: a dotted path and the reason. */
  errors?: { path: string; message: string }[]
  /** Further members of the answer, such as the current event of a 409. */
  members?: Record<string, unknown>
  /** Seconds after which a retry makes sense; becomes Retry-After. */
  retryAfter?: number
  /** Error or message of another service, for the log only. Must not contain a secret. */
  cause?: Error
}

/** An error for the caller: a code, and one sentence that says what to do. */
export class ProblemError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly title: string
  readonly extras: Extras

  constructor(code: ErrorCode, detail: string, extras: Extras = {}) {
    super(detail, extras.cause && { cause: extras.cause })
    this.code = code
    this.status = errorCatalogue[code].status
    this.title = errorCatalogue[code].title
    this.extras = extras
  }
}

/** Returns the error to throw for a code of the catalogue: `throw problem('not-found', 'No such event.')`. */
export function problem(code: ErrorCode, detail: string, extras?: Extras): ProblemError {
  return new ProblemError(code, detail, extras)
}

/** Returns the error about one place of the request, which one sentence explains. */
export function fieldProblem(code: ErrorCode, path: string, sentence: string): ProblemError {
  return problem(code, sentence, { errors: [{ path, message: sentence }] })
}

/** Returns the body of an error answer: RFC 9457, with ErrorBody for the console (3-decisions 6). */
export function problemBody(error: ProblemError, requestId: string): Problem {
  return {
    type: `urn:benchwatch:error:${error.code}`,
    title: error.title,
    status: error.status,
    detail: error.message,
    ErrorBody: error.message,
    code: error.code,
    requestId,
    ...(error.extras.errors && { errors: error.extras.errors }),
    ...error.extras.members,
  }
}

/** Returns the 429 for an exceeded rate limit: `what` is a sentence about the action; `retryAfter` is in seconds. */
export function tooOften(what: string, retryAfter: number): ProblemError {
  const minutes = Math.ceil(retryAfter / 60)
  return problem('too-many-requests', `${what} Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`, {
    retryAfter,
  })
}
