import { Readable } from 'node:stream'
import { setImmediate as othersTurn } from 'node:timers/promises'
import type { Access, Route, RouteTypes } from '@benchwatch/contract/route'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { z } from 'zod'
import { problem } from './problem.ts'
import { takeTexts } from './text-body.ts'

/** About 1 MB, and 5 ms of the server's time. */
const VALUES_AT_ONCE = 5000

interface LongAnswer {
  values: readonly unknown[]
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The contract's route that a request came to; absent for what is no route of the contract. */
    route?: Route
  }
}

/** What a handler is told: who calls, and the parsed request. */
export interface Call<R extends Route, C> extends Omit<RouteTypes<R>, 'answer'> {
  caller: C
  request: FastifyRequest
  /** For a header or a status other than 200; the answer itself is returned. */
  reply: FastifyReply
}

/**
 * Finds out who calls and whether this access lets them in; throws a ProblemError otherwise. Runs in onRequest, before
 * anything is parsed, because the order of checks is 401, 403, 400, 404 (3-decisions 3).
 */
export type Authorise<Callers extends Record<Access['kind'], unknown>> = <K extends Access['kind']>(
  access: Extract<Access, { kind: K }>,
  request: FastifyRequest,
) => Promise<Callers[K]>

export type Bind<Callers extends Record<Access['kind'], unknown>> = <R extends Route>(
  app: FastifyInstance,
  route: R,
  handler: (call: Call<R, Callers[R['access']['kind']]>) => Promise<RouteTypes<R>['answer'] | Streamed<R> | undefined>,
) => void

/** A file, as a stream that is destroyed when the caller goes away. */
type Streamed<R extends Route> = R extends { answerType: string } ? Readable : never

/** Makes the function that binds a contract route to a handler. A route without access can't be registered. */
export function createBind<Callers extends Record<Access['kind'], unknown>>(
  authorise: Authorise<Callers>,
): Bind<Callers> {
  return (app, route, handler) => {
    if (!route.access) throw new Error(`Route ${route.method} ${route.path} declares no access.`)
    const callers = new WeakMap<FastifyRequest, Callers[typeof route.access.kind]>()
    const declared: RouteOptions = {
      method: route.method,
      url: `/api${route.path}`,
      schema: {
        summary: route.summary,
        ...(route.params && { params: route.params }),
        // Unknown parameters are refused everywhere, also where a route takes none (wire 1).
        querystring: route.query ?? noFields,
        ...(route.body && { body: route.body }),
        ...(route.bodyTypes && { consumes: [...route.bodyTypes] }),
        ...(route.answer && {
          response: Object.fromEntries((route.success ?? [200]).map((status) => [status, route.answer])),
        }),
      },
      config: { route },
      ...(route.bodyLimit !== undefined && { bodyLimit: route.bodyLimit }),
      onRequest: async (request) => {
        callers.set(request, await authorise(route.access as never, request))
      },
      preValidation: async (request) => {
        if (!route.body && !isEmpty(request.body)) {
          throw problem('validation-failed', 'body: this call takes none. Leave it out.')
        }
      },
      handler: async (request, reply) => {
        const answer = await handler({
          caller: callers.get(request),
          params: request.params as never,
          query: request.query as never,
          body: request.body as never,
          request,
          reply,
        })
        if (route.success?.includes(204)) return reply.code(204).send()
        if (route.answerType !== undefined) return reply.type(`${route.answerType}; charset=utf-8`).send(answer)
        if (isLong(answer)) return reply.type('application/json; charset=utf-8').send(inParts(answer))
        // A redirection was sent by its handler.
        return reply.sent ? reply : answer
      },
    }
    const { bodyTypes } = route
    if (!bodyTypes) {
      app.route(declared)
      return
    }
    // In a context of its own: no other route takes these types, and this one takes no JSON.
    app.register(async (own) => {
      takeTexts(own, bodyTypes)
      own.route(declared)
    })
  }
}

/** A query of a route that takes none. */
export const noFields = z.strictObject({})

function isEmpty(body: unknown): boolean {
  return body === undefined || body === null || (typeof body === 'object' && Object.keys(body).length === 0)
}

/** Whether to write an answer part by part, so that others are answered meanwhile and 20 MB are never one text. */
function isLong(answer: unknown): answer is LongAnswer {
  const values = (answer as Partial<LongAnswer> | null | undefined)?.values
  return Array.isArray(values) && values.length > VALUES_AT_ONCE
}

/** The JSON of an answer, its values first. */
function inParts(answer: LongAnswer): Readable {
  // Texts, and no more of them ahead of a slow reader than one.
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
