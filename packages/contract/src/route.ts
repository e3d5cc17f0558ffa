import type { z } from 'zod'
import type { ErrorCode } from './errors.ts'
import type { FeatureKey, Role } from './vocabulary.ts'

/** Access rules shared by several parts of the contract, with the errors that such routes answer. */

/** Administrators; no flag required. */
export const admins = { kind: 'signed-in', roles: ['admin'] } as const

export const notAdmin = ['session-expired', 'wrong-role'] as const

/** All users except customers, if the flag BACKOFFICE is on for them. */
export const backOffice = { kind: 'signed-in', roles: ['service', 'support', 'admin'], flags: ['BACKOFFICE'] } as const

export const notBackOffice = ['session-expired', 'wrong-role', 'feature-off'] as const

/**
 * Access to a route. A route without an access rule cannot be registered (3-decisions 3).
 * - `public`: no token.
 * - `signed-in`: any user, limited by `roles` and `flags`, all of which must be on (otherwise 403).
 * - `gateway`: the gateway's own key.
 * - `cases`, `registry`: an administrator, or an API token with this scope.
 * - `kpi-embed`: the token that `GET /kpi/{id}` puts into the fragment of the built-in dashboard's address.
 * - `outbox`: any caller on this machine while the demo outbox is in use, an administrator from elsewhere; otherwise
 * 404.
 */
export type Access =
  | { kind: 'public' }
  | { kind: 'signed-in'; roles?: readonly Role[]; flags?: readonly FeatureKey[] }
  | { kind: 'gateway' }
  | { kind: 'cases' }
  | { kind: 'registry' }
  | { kind: 'kpi-embed' }
  | { kind: 'outbox' }

/** The part of a route that the browser needs at run time: plain data, without zod. Paths are relative to `/api`. */
export interface RouteHead {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  /** True if the client may retry once after a 504, because repeating the request is harmless (3-decisions 4). */
  retry?: boolean
}

export interface Route extends RouteHead {
  summary: string
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
  /** Media types of a text body, which the handler receives as a string. Default: JSON. */
  bodyTypes?: readonly string[]
  /** Maximum body size in bytes. Default: the server's limit. */
  bodyLimit?: number
  /** Seconds until a slow route must begin its answer. Default: 4.5 s. */
  answerSeconds?: number
  /**
   * True if requests queue under load instead of being refused. Used for requests that all consoles send at the same
   * time, such as after a restart.
   */
  waitsInLine?: boolean
  /** Schema of a successful answer; absent for 204, 302 and files. */
  answer?: z.ZodType
  /** Media type of an answer that is a UTF-8 text file instead of JSON. */
  answerType?: string
  /** Success statuses. Default: 200; several if an upsert distinguishes 200 and 201. */
  success?: readonly number[]
  errors: readonly ErrorCode[]
  access: Access
}

/**
 * Declares one endpoint. The server registers it, OpenAPI is generated from it, and the browser infers its types from
 * it.
 */
export function route<const R extends Route>(definition: R): R {
  return definition
}

type Output<T> = T extends z.ZodType ? z.output<T> : undefined
type Input<T> = T extends z.ZodType ? z.input<T> : undefined

/** Types that a handler receives and returns; see `platform/http/bind.ts` of the server. */
export interface RouteTypes<R extends Route> {
  params: Output<R['params']>
  query: Output<R['query']>
  body: Output<R['body']>
  answer: Input<R['answer']>
}

/** Types that a client sends and receives; see `client.ts` of `packages/client`. */
export interface CallTypes<R extends Route> {
  params: Input<R['params']>
  query: Input<R['query']>
  body: Input<R['body']>
  answer: Output<R['answer']>
}
