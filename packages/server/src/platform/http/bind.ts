import { Readable } from 'node:stream'
import { setImmediate as othersTurn } from 'node:timers/promises'
import type { Access, Route, RouteTypes } from '@benchwatch/contract/route'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { z } from 'zod'
import type { Clock } from '../clock.ts'
import { problem } from './problem.ts'
import { takeTexts } from './text-body.ts'

/** About 1 MB, and 5 ms of the server's time. */
const VALUES_AT_ONCE = 5000

/**
 * Rights are checked when the headers arrive. A body that is complete later than this needs a second check, because an
 * account that is disabled meanwhile must not change anything any more. Usual bodies are complete at once.
 */
const LATE_BODY_MS = 1000

interface LongAnswer {
  values: readonly unknown[]
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The contract route of the request; undefined for URLs outside the contract. */
    route?: Route
  }
}

/** Arguments of a handler: the caller and the parsed request. */
export interface Call<R extends Route, C> extends Omit<RouteTypes<R>, 'answer'> {
  caller: C
  request: FastifyRequest
  /** For a header, or the status if several are declared; the handler returns the answer itself. */
  reply: FastifyReply
}

/**
 * Authenticates the caller and checks the access; throws a ProblemError otherwise. Runs in onRequest, before parsing,
 * because the order of checks is 401, 403, 400, 404 (3-decisions 3). Runs again after a body that arrived slowly.
 */
export type Authorise<Callers extends Record<Access['kind'], unknown>> = <K extends Access['kind']>(
  access: Extract<Access, { kind: K }>,
  request: FastifyRequest,
) => Promise<Callers[K]>

export type Bind<Callers extends Record<Access['kind'], unknown>> = <R extends Route>(
  app: FastifyInstance,
  route: R,
  handler: (call: Call<R, Callers[R['access']['kind']]>) => Promise<Answer<R>>,
) => void

/** A file is a stream that is destroyed when the caller disconnects. A route without an answer ignores the result. */
type Answer<R extends Route> = R extends { answer: z.ZodType }
  ? RouteTypes<R>['answer']
  : R extends { answerType: string }
    ? Readable | undefined
    : unknown

/** Returns the function that binds a contract route to a handler. A route without access can't be registered. */
export function createBind<Callers extends Record<Access['kind'], unknown>>(
  authorise: Authorise<Callers>,
  clock: Clock,
): Bind<Callers> {
  return (app, route, handler) => {
    if (!route.access) throw new Error(`Route ${route.method} ${route.path} declares no access.`)
    const callers = new WeakMap<FastifyRequest, { caller: Callers[typeof route.access.kind]; checkedAt: number }>()
    const check = async (request: FastifyRequest) => {
      const caller = await authorise(route.access as never, request)
      callers.set(request, { caller, checkedAt: clock.now().getTime() })
    }
    const declared: RouteOptions = {
      method: route.method,
      url: `/api${route.path}`,
      schema: {
        summary: route.summary,
        ...(route.params && { params: route.params }),
        // Unknown parameters are refused everywhere, even on routes without any (wire 1).
        querystring: route.query ?? noFields,
        ...(route.body && { body: route.body }),
        ...(route.bodyTypes && { consumes: [...route.bodyTypes] }),
        ...(route.answer && {
          response: Object.fromEntries((route.success ?? [200]).map((status) => [status, route.answer])),
        }),
      },
      config: { route },
      ...(route.bodyLimit !== undefined && { bodyLimit: route.bodyLimit }),
      onRequest: check,
      preValidation: async (request) => {
        const checkedAt = callers.get(request)?.checkedAt ?? 0
        if (clock.now().getTime() - checkedAt > LATE_BODY_MS) await check(request)
        if (!route.body && !isEmpty(request.body)) {
          throw problem('validation-failed', 'body: this call has no body. Leave it out.')
        }
      },
      handler: async (request, reply) => {
        const [status, ...others] = route.success ?? []
        if (status !== undefined && others.length === 0) reply.code(status)
        const answer = await handler({
          caller: callers.get(request)?.caller,
          params: request.params as never,
          query: request.query as never,
          body: request.body as never,
          request,
          reply,
        })
        if (status === 204) return reply.send()
        if (route.answerType !== undefined) return reply.type(`${route.answerType}; charset=utf-8`).send(answer)
        if (isLong(answer)) return reply.type('application/json; charset=utf-8').send(inParts(answer))
        // The handler has already sent a redirect.
        return reply.sent ? reply : answer
      },
    }
    const { bodyTypes } = route
    if (!bodyTypes) {
      app.route(declared)
      return
    }
    // Registered in its own context: no other route accepts these types, and this one does not accept JSON.
    app.register(async (own) => {
      takeTexts(own, bodyTypes)
      own.route(declared)
    })
  }
}

/** Query schema of a route without parameters. */
export const noFields = z.strictObject({})

function isEmpty(body: unknown): boolean {
  return body === undefined || body === null || (typeof body === 'object' && Object.keys(body).length === 0)
}

/**
 * Returns true if the answer should be written in parts, so that other requests are answered meanwhile and 20 MB never
 * become one string.
 */
function isLong(answer: unknown): answer is LongAnswer {
  const values = (answer as Partial<LongAnswer> | null | undefined)?.values
  return Array.isArray(values) && values.length > VALUES_AT_ONCE
}

/** Returns the JSON of an answer as a stream that starts with its values. */
function inParts(answer: LongAnswer): Readable {
  // Limits the buffer for a slow reader to one text.
  return Readable.from(partsOf(answer), { highWaterMark: 1 })
}

async function* partsOf({ values, ...rest }: LongAnswer): AsyncGenerator<string> {
  for (let from = 0; from < values.length; from += VALUES_AT_ONCE) {
    const some = JSON.stringify(values.slice(from, from + VALUES_AT_ONCE)).slice(1, -1)
    yield `${from === 0 ? '{"values":[' : ','}${some}`
    await othersTurn()
  }
  yield `],${JSON.stringify(rest).slice(1)}`
}
