import type { z } from 'zod'
import type { ErrorCode } from './errors.ts'
import type { FeatureKey, Role } from './vocabulary.ts'

/** Who may call what several parts of the contract ask for, and what each such route answers whoever may not. */

/** Administrators; none of it has a flag. */
export const admins = { kind: 'signed-in', roles: ['admin'] } as const

export const notAdmin = ['session-expired', 'wrong-role'] as const

/** Everybody but customers, where the flag BACKOFFICE is on for them. */
export const backOffice = { kind: 'signed-in', roles: ['service', 'support', 'admin'], flags: ['BACKOFFICE'] } as const

export const notBackOffice = ['session-expired', 'wrong-role', 'feature-off'] as const

/**
 * Who may call a route. A route that declares none can't be registered (3-decisions 3).
 * - `public`: no token.
 * - `signed-in`: any user; `roles` and `flags`, all of which must be on, narrow it (403 otherwise).
 * - `gateway`: a gateway's own key.
 * - `registry`: an administrator, or an API token with scope `registry`.
 * - `kpi-embed`: the token that `GET /kpi/{id}` puts into the fragment of the built-in dashboard's address.
 * - `outbox`: anybody on this machine while the demo's outbox is in use, an administrator from elsewhere; 404 otherwise.
 */
export type Access =
  | { kind: 'public' }
  | { kind: 'signed-in'; roles?: readonly Role[]; flags?: readonly FeatureKey[] }
  | { kind: 'gateway' }
  | { kind: 'registry' }
  | { kind: 'kpi-embed' }
  | { kind: 'outbox' }

/** The part of a route that the browser needs at run time: plain data, without zod. Paths are below `/api`. */
export interface RouteHead {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  /** A 504 may be retried once, because a repeat is harmless (3-decisions 4). */
  retry?: boolean
}

export interface Route extends RouteHead {
  summary: string
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
  /** Media types of a body that is text and not JSON; `body` is a string then. JSON alone without. */
  bodyTypes?: readonly string[]
  /** Longest body in bytes where it is not the server's usual limit. */
  bodyLimit?: number
  /** Longest time until its answer begins, in seconds, where it is long work; the server's usual 4.5 s without. */
  answerSeconds?: number
  /** Waits in a line where others are refused under load: what every console asks for at once, such as after a restart. */
  waitsInLine?: boolean
  /** The answer of a success; absent for 204, 302 and files. */
  answer?: z.ZodType
  /** Media type of an answer that is a file of text, in UTF-8, and not JSON. */
  answerType?: string
  /** Status of a success: 200 unless said otherwise; several where an upsert tells 200 from 201. */
  success?: readonly number[]
  errors: readonly ErrorCode[]
  access: Access
}

/** Declares one endpoint. The server registers it, OpenAPI is generated from it, the browser infers its types from it. */
export function route<const R extends Route>(definition: R): R {
  return definition
}

type Output<T> = T extends z.ZodType ? z.output<T> : undefined
type Input<T> = T extends z.ZodType ? z.input<T> : undefined

/** What a handler receives and returns; see `platform/http/bind.ts` of the server. */
export interface RouteTypes<R extends Route> {
  params: Output<R['params']>
  query: Output<R['query']>
  body: Output<R['body']>
  answer: Input<R['answer']>
}

/** What a caller sends and receives; see `lib/http.ts` of the web app. */
export interface CallTypes<R extends Route> {
  params: Input<R['params']>
  query: Input<R['query']>
  body: Input<R['body']>
  answer: Output<R['answer']>
}
