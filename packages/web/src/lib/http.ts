import {
  ApiError,
  type CallAnswer,
  type CallArguments,
  type CallInput,
  type Credentials,
  createClient,
} from '@benchwatch/client/client'
import type { RouteName } from '@benchwatch/contract/paths'
import type { Route } from '@benchwatch/contract/route'

/** Calls the API as the user of this page. Queries and mutations decide themselves what to repeat. */

export { ApiError, type CallAnswer, type CallInput, type Credentials }

/** True if the failure may be temporary: no answer, or trouble at the server. A refusal is final. */
export function mayPass(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500)
}

/** True if a query should retry. Never after a 504: the client alone makes the retry that 3-decisions 4 allows. */
export function asksAgain(error: unknown): boolean {
  return mayPass(error) && (error as ApiError).status !== 504
}

const anonymous: Credentials = { token: () => null, renew: async () => null, expire: () => undefined }
let credentials = anonymous

/**
 * Sets the credentials of later calls; null for anonymous calls. The session calls it, so that this file does not
 * depend on sign-in.
 */
export function setCredentials(next: Credentials | null): void {
  credentials = next ?? anonymous
}

const client = createClient({
  url: '',
  credentials: () => credentials,
  retries: 0,
  ...(import.meta.env.DEV && { checkAnswer }),
})
export const { call, callForResponse } = client

/** A record as it was read, with the ETag that its change names; without one if the answer had none. */
export type Tagged<T> = T & { etag?: string }

/** Calls a route that reads one record, and adds the ETag of the answer to it. */
export async function callTagged<N extends RouteName>(
  name: N,
  ...input: CallArguments<N>
): Promise<Tagged<CallAnswer<N>>> {
  const { answer, headers } = await client.callWithHeaders(name, ...input)
  const record = answer as Tagged<CallAnswer<N>>
  const etag = headers.get('etag')
  if (etag !== null) record.etag = etag
  return record
}

/** True if the record has changed since the version that a change was based on. */
export function isStale(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'version-mismatch'
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
