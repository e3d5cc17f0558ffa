import type { Problem } from '@benchwatch/contract/errors'
import { paths, type RouteName } from '@benchwatch/contract/paths'
import type { CallTypes, Route, RouteHead } from '@benchwatch/contract/route'
import type { Routes } from '@benchwatch/contract/routes'

/**
 * Calls the API by route name, typed by the route table. It uses only the plain route heads, so that a production
 * build loads no schema library. Requests and answers are defined in `packages/contract`.
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

/** True if the failure may be temporary: no answer, or trouble at the server. A refusal is final. */
export function mayPass(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500)
}

/**
 * True if a query should retry. Never after a 504: `sendTwice` has already used the one retry that 3-decisions 4
 * allows.
 */
export function asksAgain(error: unknown): boolean {
  return mayPass(error) && (error as ApiError).status !== 504
}

/** Credentials for API calls. The session installs them here, so that this file does not depend on sign-in. */
export interface Credentials {
  /** Returns a token that is valid for at least some seconds, else null. */
  token: () => string | null
  /**
   * Gets another token; concurrent callers share one attempt. Resolves to null if the session is over. Throws ApiError
   * if the server cannot be asked.
   */
  renew: () => Promise<string | null>
  /** Ends the session: signs out and navigates to `/`. */
  expire: () => void
}

const anonymous: Credentials = { token: () => null, renew: async () => null, expire: () => undefined }
let credentials = anonymous

/** Installs the credentials of later calls; null for anonymous calls. */
export function setCredentials(next: Credentials | null): void {
  credentials = next ?? anonymous
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
    /** Version that the change is based on, sent as `If-Match: "<version>"`. */
    ifMatch?: number
    /** Media type of a text body that is sent unchanged. Without it the body is sent as JSON. */
    mediaType?: string
    signal?: AbortSignal
  }
export type CallAnswer<N extends RouteName> = Types<N>['answer']
type CallArguments<N extends RouteName> = object extends CallInput<N> ? [input?: CallInput<N>] : [input: CallInput<N>]

interface AnyInput {
  params?: Record<string, string | number>
  query?: Record<string, string | number | boolean | undefined>
  body?: unknown
  ifMatch?: number
  mediaType?: string
  signal?: AbortSignal
}

/** Calls that need no session, so a 401 says nothing about it. */
const sessionless: ReadonlySet<RouteName> = new Set([
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
 * Calls the route `name` and returns the body of its answer (undefined for 204).
 * @throws ApiError if the status is 400 or above or no answer arrived. An abort is rethrown unchanged.
 */
export async function call<N extends RouteName>(name: N, ...input: CallArguments<N>): Promise<CallAnswer<N>> {
  return (await callWithHeaders(name, ...input)).answer
}

/** Works like `call` and also returns the headers (for `ETag`). */
export async function callWithHeaders<N extends RouteName>(
  name: N,
  ...[input]: CallArguments<N>
): Promise<{ answer: CallAnswer<N>; headers: Headers }> {
  const response = await sendAs(name, input ?? {})
  const body = await readBody(response)
  if (!response.ok) throw apiError(response, body)
  if (import.meta.env.DEV && response.status !== 204) await checkAnswer(name, body)
  return { answer: body as CallAnswer<N>, headers: response.headers }
}

/** Works like `call` but returns the raw bytes, for answers so large that a worker parses them. */
export async function callForBytes<N extends RouteName>(name: N, ...[input]: CallArguments<N>): Promise<ArrayBuffer> {
  const response = await sendAs(name, input ?? {})
  if (!response.ok) throw apiError(response, await readBody(response))
  return await response.arrayBuffer()
}

/** Sends with the session's token. After a 401 renews the token once; a second 401 ends the session. */
async function sendAs(name: RouteName, input: AnyInput): Promise<Response> {
  if (sessionless.has(name)) return sendTwice(name, input, null)
  const who = credentials
  if (sessionOptional.has(name)) return sendWithOrWithout(name, input, who)
  let token = who.token()
  const wasFresh = token === null
  token ??= await who.renew()
  let response = token === null ? null : await sendTwice(name, input, token)
  if (response !== null && !wasFresh && (await isTokenRefused(response))) {
    token = await who.renew()
    response = token === null ? null : await sendTwice(name, input, token)
  }
  if (response !== null && !(await isTokenRefused(response))) return response
  who.expire()
  throw new ApiError('Session expired', { status: 401, code: 'session-expired' })
}

/** Sends with a token if possible. A refusal does not end the session. */
async function sendWithOrWithout(name: RouteName, input: AnyInput, who: Credentials): Promise<Response> {
  const response = await sendTwice(name, input, who.token())
  const token = response.status === 401 ? await who.renew() : null
  return token === null ? response : sendTwice(name, input, token)
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

/** Retries a 504 once if the route allows it. */
async function sendTwice(name: RouteName, input: AnyInput, token: string | null): Promise<Response> {
  const head: RouteHead = paths[name]
  const response = await send(head, input, token)
  return response.status === 504 && head.retry === true ? send(head, input, token) : response
}

async function send(head: RouteHead, input: AnyInput, token: string | null): Promise<Response> {
  const headers = new Headers({ accept: 'application/json' })
  if (token !== null) headers.set('authorization', `Bearer ${token}`)
  if (input.body !== undefined) headers.set('content-type', input.mediaType ?? 'application/json')
  if (input.ifMatch !== undefined) headers.set('if-match', `"${input.ifMatch}"`)
  try {
    return await fetch(addressOf(head.path, input), {
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
    throw new ApiError('The server’s answer could not be read. Reload the page.', {
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

/**
 * Checks every answer against its schema in development and tests, so that a mismatch between client and server is
 * noticed at once.
 */
async function checkAnswer(name: RouteName, body: unknown): Promise<void> {
  const { routes } = await import('@benchwatch/contract/routes')
  const route: Route = routes[name]
  const result = route.answer?.safeParse(body)
  if (result?.success === false) {
    throw new Error(`The answer of ${name} does not match its schema: ${result.error.message}`)
  }
}

/** Error messages by form field. */
export type FieldProblems = Readonly<Record<string, string>>

/**
 * Returns the server's validation messages by body field; errors inside a list belong to the list. Empty if the error
 * names no field: then its sentence is in `message`.
 */
export function fieldProblems(error: unknown): FieldProblems {
  if (!(error instanceof ApiError)) return {}
  const found: Record<string, string> = {}
  for (const { path, message } of error.problem?.errors ?? []) {
    const [place, field] = path.split('.')
    if (place === 'params' && field !== undefined) found.key ??= message
    if (place === 'body' && field !== undefined) found[field] ??= message
  }
  return found
}

/** True for 404, and for 400 caused by a malformed id: for the user, neither exists. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 400)
}
