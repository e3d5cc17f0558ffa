import type { Problem } from '@benchwatch/contract/errors'
import { paths, type RouteName } from '@benchwatch/contract/paths'
import type { CallTypes, RouteHead } from '@benchwatch/contract/route'
import type { Routes } from '@benchwatch/contract/routes'

/**
 * Calls the API by route name, typed by the route table. It uses only the plain route heads, so that no schema library
 * is loaded, and it runs in browsers and in Node 20 or newer. Requests and answers are defined in `packages/contract`.
 */

/** The reason a call failed. `status` 0 means that no answer arrived. `message` is a sentence for the user. */
export class ApiError extends Error {
  readonly status: number
  /** Stable name of the error (`errorCatalogue` of the contract), or `network` if no answer arrived. */
  readonly code: string
  /** The answer's body if it was a problem. For a service event, 409 and 412 contain the current one as `event`. */
  readonly problem: Problem | null

  constructor(message: string, cause: { status: number; code: string; problem?: Problem | null }) {
    super(message)
    this.name = 'ApiError'
    this.status = cause.status
    this.code = cause.code
    this.problem = cause.problem ?? null
  }
}

/** Access tokens of a session, which can be renewed. */
export interface Credentials {
  /** Returns a token that is valid for at least some seconds, else null. */
  token: () => string | null
  /**
   * Gets another token; concurrent callers share one attempt. Resolves to null if the session is over. Throws ApiError
   * if the server cannot be asked.
   */
  renew: () => Promise<string | null>
  /** Called when the server no longer accepts the session. */
  expire: () => void
}

export interface ClientOptions {
  /** Origin of the server, such as `https://benchwatch.example`; empty in a page of that server. */
  url: string
  /** Access token, API token or gateway key for all calls. */
  token?: string
  /** Credentials instead of a token; read again for each call. */
  credentials?: () => Credentials
  /**
   * How often a call is repeated that failed temporarily and may be repeated; 0 leaves that to the caller. A 504 is
   * repeated once in any case on routes with `retry`. Default: 4.
   */
  retries?: number
  /** Waits between attempts; rejects when the signal aborts. Replaced in tests. */
  pause?: (ms: number, signal: AbortSignal | undefined) => Promise<void>
  /** Called with every parsed answer; may throw. */
  checkAnswer?: (name: RouteName, body: unknown) => Promise<void>
}

/** Accepts numbers and booleans where the wire has their text. */
type Loose<T> = T extends string ? (string extends T ? T | number : T extends 'true' | 'false' ? T | boolean : T) : T
type LooseFields<T> = T extends object ? { [K in keyof T]: Loose<T[K]> } : T

type Types<N extends RouteName> = CallTypes<Routes[N]>
type Part<K extends string, V> = [V] extends [undefined]
  ? unknown
  : object extends V
    ? { [P in K]?: V }
    : undefined extends V
      ? { [P in K]?: V }
      : { [P in K]: V }

export type CallInput<N extends RouteName> = Part<'params', LooseFields<Types<N>['params']>> &
  Part<'query', LooseFields<Types<N>['query']>> &
  Part<'body', Types<N>['body']> & {
    /** The version of an event, or the ETag of another record, that the change is based on; sent as If-Match. */
    ifMatch?: number | string | undefined
    /** Media type of the body. Default: JSON. A text with a media type is sent unchanged. */
    mediaType?: string
    signal?: AbortSignal
  }
export type CallAnswer<N extends RouteName> = Types<N>['answer']
export type CallArguments<N extends RouteName> =
  object extends CallInput<N> ? [input?: CallInput<N>] : [input: CallInput<N>]

interface AnyInput {
  params?: Record<string, string | number>
  query?: Record<string, string | number | boolean | undefined>
  body?: unknown
  ifMatch?: number | string | undefined
  mediaType?: string
  signal?: AbortSignal
}

export interface Client {
  url: string
  /**
   * Calls the route `name` and returns the body of its answer (undefined for 204).
   * @throws ApiError if the status is 400 or above or no answer arrived. An abort is rethrown unchanged.
   */
  call: <N extends RouteName>(name: N, ...input: CallArguments<N>) => Promise<CallAnswer<N>>
  /** Works like `call` and also returns the headers (for `ETag`). */
  callWithHeaders: <N extends RouteName>(
    name: N,
    ...input: CallArguments<N>
  ) => Promise<{ answer: CallAnswer<N>; headers: Headers }>
  /** Works like `call` but returns the successful response unread, for large answers and files. */
  callForResponse: <N extends RouteName>(name: N, ...input: CallArguments<N>) => Promise<Response>
}

/** Calls that need no session, so a 401 says nothing about it. */
const sessionless: ReadonlySet<RouteName> = new Set([
  'downloadExport',
  'getAuthConfig',
  'signIn',
  'setNewPassword',
  'answerMfa',
  'resendMfa',
  'forgotPassword',
  'confirmForgotPassword',
  'refresh',
  'signOut',
  'getUnsubscribeInformation',
  'unsubscribe',
  'getHealth',
  'getReady',
])

/** Calls that send the session's token if there is one and also work without. */
const sessionOptional: ReadonlySet<RouteName> = new Set(['listOutbox'])

/**
 * Calls that may be repeated although their method does not say so: they only read, with filters that an address
 * could not hold, or a repeat changes nothing.
 */
const repeatable: ReadonlySet<RouteName> = new Set([
  'applyRegistry',
  'countFilterValues',
  'countInstruments',
  'importRegistry',
  'listEventLocations',
  'listInstruments',
  'listServiceEvents',
  'previewMaintenance',
  'previewProfile',
  'previewSupportEmailTemplate',
  'readInstrumentStatuses',
])

/** Callers prefer an error to a longer wait. */
const LONGEST_WAIT_MS = 30_000
const FIRST_WAIT_MS = 500

/**
 * Returns a client of one server. It repeats only what is safe: calls that change nothing when repeated, after a lost
 * connection, or a 429 or 503 with Retry-After; all other calls only after a 429 with Retry-After, which the server
 * sends before it does anything.
 */
export function createClient({
  url,
  token: fixedToken,
  credentials,
  retries = 4,
  pause = waitFor,
  checkAnswer,
}: ClientOptions): Client {
  const origin = url.replace(/\/+$/, '')

  /** Renews a refused token once; a second refusal ends the session. */
  async function sendAs(name: RouteName, input: AnyInput): Promise<Response> {
    if (sessionless.has(name)) return sendPatiently(name, input, null)
    if (!credentials) return sendPatiently(name, input, fixedToken ?? null)
    const who = credentials()
    if (sessionOptional.has(name)) return sendWithOrWithout(name, input, who)
    let token = who.token()
    const wasFresh = token === null
    token ??= await who.renew()
    let response = token === null ? null : await sendPatiently(name, input, token)
    if (response !== null && !wasFresh && (await isTokenRefused(response))) {
      token = await who.renew()
      response = token === null ? null : await sendPatiently(name, input, token)
    }
    if (response !== null && !(await isTokenRefused(response))) return response
    who.expire()
    throw new ApiError('Session expired', { status: 401, code: 'session-expired' })
  }

  /** Sends with a token if possible. A refusal does not end the session. */
  async function sendWithOrWithout(name: RouteName, input: AnyInput, who: Credentials): Promise<Response> {
    const response = await sendPatiently(name, input, who.token())
    const token = response.status === 401 ? await who.renew() : null
    return token === null ? response : sendPatiently(name, input, token)
  }

  async function sendPatiently(name: RouteName, input: AnyInput, token: string | null): Promise<Response> {
    const head: RouteHead = paths[name]
    const mayRepeat = isRepeatable(name, head)
    for (let failures = 0; ; failures += 1) {
      const outcome = await sendTwice(head, input, token).catch((error: unknown) => error)
      const wait = failures < retries ? waitBefore(outcome, { mayRepeat, failures }) : null
      if (wait === null) {
        if (outcome instanceof Response) return outcome
        throw outcome
      }
      if (outcome instanceof Response) await outcome.body?.cancel()
      await pause(wait, input.signal)
    }
  }

  /** Repeats a 504 once if the route allows it. */
  async function sendTwice(head: RouteHead, input: AnyInput, token: string | null): Promise<Response> {
    const response = await send(head, input, token)
    return response.status === 504 && head.retry === true ? send(head, input, token) : response
  }

  async function send(head: RouteHead, input: AnyInput, token: string | null): Promise<Response> {
    const headers = new Headers({ accept: 'application/json' })
    if (token !== null) headers.set('authorization', `Bearer ${token}`)
    if (input.body !== undefined) headers.set('content-type', input.mediaType ?? 'application/json')
    const { ifMatch } = input
    if (ifMatch !== undefined) headers.set('if-match', typeof ifMatch === 'number' ? `"${ifMatch}"` : ifMatch)
    try {
      return await fetch(`${origin}${addressOf(head.path, input)}`, {
        method: head.method,
        headers,
        body: bodyOf(input),
        signal: input.signal ?? null,
        credentials: 'same-origin',
      })
    } catch (error) {
      if (input.signal?.aborted) throw error
      throw new ApiError('The server could not be reached. Check your connection and try again.', {
        status: 0,
        code: 'network',
      })
    }
  }

  async function callWithHeaders<N extends RouteName>(name: N, ...[input]: CallArguments<N>) {
    const response = await sendAs(name, input ?? {})
    const body = await readBody(response)
    if (!response.ok) throw apiError(response, body)
    if (response.status !== 204) await checkAnswer?.(name, body)
    return { answer: body as CallAnswer<N>, headers: response.headers }
  }

  return {
    url: origin,
    call: async (name, ...input) => (await callWithHeaders(name, ...input)).answer,
    callWithHeaders,
    async callForResponse(name, ...[input]) {
      const response = await sendAs(name, input ?? {})
      if (!response.ok) throw apiError(response, await readBody(response))
      return response
    },
  }
}

function isRepeatable(name: RouteName, { method, path, retry }: RouteHead): boolean {
  return retry === true || repeatable.has(name) || (method === 'PUT' && path.startsWith('/registry/'))
}

/** Returns the milliseconds to wait before a repeat, or null if the outcome is final. */
function waitBefore(
  outcome: unknown,
  { mayRepeat, failures }: { mayRepeat: boolean; failures: number },
): number | null {
  if (outcome instanceof ApiError) return mayRepeat ? FIRST_WAIT_MS * 2 ** failures : null
  if (!(outcome instanceof Response)) return null
  const isTemporary = outcome.status === 429 || (outcome.status === 503 && mayRepeat)
  const seconds = Number(outcome.headers.get('retry-after') ?? Number.NaN)
  return isTemporary && seconds * 1000 <= LONGEST_WAIT_MS ? seconds * 1000 : null
}

function waitFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', abort, { once: true })
  })
}

/** True if the 401 is about the token, and not about the password re-entered for a sensitive change. */
async function isTokenRefused(response: Response): Promise<boolean> {
  if (response.status !== 401) return false
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null)
  return (body as { code?: unknown } | null)?.code !== 'bad-credentials'
}

function bodyOf({ body, mediaType }: AnyInput): string | null {
  if (body === undefined) return null
  return mediaType !== undefined && typeof body === 'string' ? body : JSON.stringify(body)
}

/** Returns the path below /api with its parameters filled in and the defined query parameters appended. */
export function addressOf(path: string, { params = {}, query = {} }: Pick<AnyInput, 'params' | 'query'>): string {
  const filled = path.replace(/:(\w+)|\*/g, (placeholder, key: string | undefined) => {
    const value = params[key ?? '*']
    if (value === undefined) throw new Error(`${path} needs the parameter ${placeholder}`)
    // A wildcard spans several segments, so its slashes stay.
    return key === undefined
      ? String(value).split('/').map(encodeURIComponent).join('/')
      : encodeURIComponent(String(value))
  })
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) search.set(key, String(value))
  }
  return `/api${filled}${search.size > 0 ? `?${search}` : ''}`
}

async function readBody(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined
  const text = await response.text()
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    if (!response.ok) return undefined
    throw new ApiError('The server’s answer could not be read. Try again.', {
      status: response.status,
      code: 'unreadable-answer',
    })
  }
}

/** Reads the message from ErrorBody, errorBody or error, in this order: 3-decisions 4. */
function apiError(response: Response, body: unknown): ApiError {
  const fields = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>
  const sentence = [fields.ErrorBody, fields.errorBody, fields.error].find(
    (text) => typeof text === 'string' && text !== '',
  )
  return new ApiError(
    typeof sentence === 'string' ? sentence : `The server answered with an error (${response.status}). Try again.`,
    {
      status: response.status,
      code: typeof fields.code === 'string' ? fields.code : 'unknown',
      problem: typeof fields.ErrorBody === 'string' ? (body as Problem) : null,
    },
  )
}
