import type { Route } from '@benchwatch/contract/route'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { problem } from './problem.ts'

/**
 * Requests of people that may be under way at once. Above it the next one is refused at once instead of being kept until
 * nobody waits for it any more: at a list in 15 ms on two cores, 100 are a wait of about a second.
 */
export interface Room {
  /** Lists and everything else that can be asked again. */
  reads: number
  /** Together with the reads: changes are the last to be refused. */
  all: number
}

const ordinaryRoom: Room = { reads: 100, all: 200 }

/**
 * Refuses reads first, then changes, with 503 and Retry-After when more is asked than can be answered. What gateways send
 * is not counted here: it has its own admission and its own connections, so it is the last to suffer. Health and
 * readiness always answer.
 */
export function shedLoad(app: FastifyInstance, room: Room = ordinaryRoom): void {
  let underWay = 0
  app.addHook('onRequest', async (request, reply) => {
    const limit = limitOf(request, room)
    if (limit === null) return
    if (underWay >= limit) {
      throw problem('overloaded', 'More is asked at the moment than can be answered. Try again shortly.', {
        retryAfter: 1,
      })
    }
    underWay += 1
    let isUnderWay = true
    // A request that is broken off only closes, and an injected one only finishes.
    for (const end of ['finish', 'close']) {
      reply.raw.once(end, () => {
        if (isUnderWay) underWay -= 1
        isUnderWay = false
      })
    }
  })
}

function limitOf(request: FastifyRequest, { reads, all }: Room): number | null {
  const { route } = request.routeOptions.config as { route?: Route }
  if (!route || route.access.kind === 'gateway') return null
  if (route.access.kind === 'public' && route.method === 'GET') return null
  return route.method === 'PUT' || route.method === 'DELETE' ? all : reads
}

/** Once the server is being stopped, what still comes over open connections is told to come back, which ends them. */
export function refuseWhileStopping(app: FastifyInstance): void {
  let isStopping = false
  app.addHook('preClose', async () => {
    isStopping = true
  })
  app.addHook('onRequest', async (_request, reply) => {
    if (!isStopping) return
    reply.header('connection', 'close')
    throw problem('unavailable', 'The server is being restarted. Try again shortly.', { retryAfter: 1 })
  })
}
