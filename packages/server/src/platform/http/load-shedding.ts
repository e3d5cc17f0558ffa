import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { InFlight, Queue } from '../concurrency.ts'
import { type ProblemError, problem } from './problem.ts'

/**
 * How many requests of people may be under way at once. Above it the next one is refused at once instead of being kept
 * until nobody waits for it any more.
 */
export interface Room {
  /** Lists and everything else that can be asked again. */
  reads: number
  /** Together with the reads: changes are the last to be refused. */
  all: number
  /** Where the oldest waits longer than `slowMs`, a part of the room is all there is: a list may take 15 ms or 500. */
  slowMs: number
  shareWhenSlow: number
  /** Of those that wait in a line, so many at once: a part of the database's connections, so that lists find others. */
  ofLine: number
}

const ordinaryRoom: Room = { reads: 100, all: 200, slowMs: 1500, shareWhenSlow: 0.2, ofLine: 6 }
/** Longer lines than this are refused as they come. */
const LONGEST_LINE = 10_000

/**
 * Refuses reads first, then changes, with 503 and Retry-After when more is asked than can be answered. What gateways send
 * is not counted here: it has its own admission and its own connections, so it is the last to suffer. Health and
 * readiness always answer. What waits in a line is not refused: two thousand consoles that come back in the same second
 * would be, nine in ten of them, and again a second later.
 */
export function shedLoad(app: FastifyInstance, room: Room = ordinaryRoom): void {
  const inFlight = new InFlight()
  const line = new Queue({ atOnce: room.ofLine, maxWaiting: LONGEST_LINE })
  app.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.config.route?.waitsInLine) {
      await untilItsTurn(line, reply)
      return
    }
    const limit = limitOf(request, room)
    if (limit === null) return
    const share = inFlight.longestWait > room.slowMs ? room.shareWhenSlow : 1
    if (inFlight.count >= limit * share) throw tooMuchAsked()
    const end = inFlight.begin()
    // A request that is broken off only closes, and an injected one only finishes.
    reply.raw.once('finish', end)
    reply.raw.once('close', end)
  })
}

/** Resolves when so many before this one have been answered; its turn ends with its answer, or when nobody waits for it. */
function untilItsTurn(line: Queue, { raw }: FastifyReply): Promise<void> {
  return new Promise((resolve, reject) => {
    const turn = line.take('line', async () => {
      resolve()
      if (!raw.destroyed && !raw.writableEnded) await new Promise((over) => raw.once('close', over))
    })
    if (turn === undefined) reject(tooMuchAsked())
  })
}

function tooMuchAsked(): ProblemError {
  return problem('overloaded', 'More is asked at the moment than can be answered. Try again shortly.', {
    retryAfter: 1,
  })
}

function limitOf(request: FastifyRequest, { reads, all }: Room): number | null {
  const { route } = request.routeOptions.config
  if (!route || route.access.kind === 'gateway') return null
  // Long work says nothing about how fast a list is answered, and limits itself.
  if (route.answerSeconds !== undefined) return null
  if (route.access.kind === 'public' && route.method === 'GET') return null
  return route.method === 'PUT' || route.method === 'DELETE' ? all : reads
}

/** Clients send the next request when the last one is answered; a proxy may be one or two ahead. */
const AHEAD = 4

/**
 * Refuses the request before its answer is made when several others of its connection are not answered yet: a thousand
 * fit into 64 kB, and somebody who reads nothing would have the server keep a thousand answers.
 */
export function refusePipelining(app: FastifyInstance): void {
  const unanswered = new WeakMap<object, number>()
  app.addHook('onRequest', async (request, reply) => {
    const { socket } = request.raw
    const count = unanswered.get(socket) ?? 0
    unanswered.set(socket, count + 1)
    reply.raw.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1))
    if (count < AHEAD) return
    throw problem('too-many-requests', 'Too many requests wait on this connection. Read their answers first.', {
      retryAfter: 1,
    })
  })
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

/**
 * Answers 503 what is not answered in time, which a route of long work may set for itself; the work itself ends by the
 * time-outs of the database. The time counts from when the request is here whole: a batch of 1 MB takes longer than that
 * over a slow line, and would be refused for ever. How long it may take to arrive, requestTimeout bounds. It ends when the
 * answer begins: a large file may leave for as long as somebody reads it, which the time-outs of the connection watch.
 * Fastify's own handlerTimeout ends as soon as a body was read, because Node closes a request then.
 */
export function answerInTime(app: FastifyInstance, withinMs: number): void {
  const timers = new WeakMap<FastifyRequest, NodeJS.Timeout>()
  const arriving = new WeakSet<FastifyRequest>()
  app.addHook('onRequest', async (request, reply) => {
    const { route } = request.routeOptions.config
    const timer = setTimeout(
      () => {
        if (reply.sent || reply.raw.headersSent) return
        if (arriving.has(request) && !request.raw.complete) {
          timer.refresh()
          return
        }
        reply.send(
          problem('unavailable', 'The answer takes too long at the moment. Try again shortly.', { retryAfter: 2 }),
        )
      },
      route?.answerSeconds === undefined ? withinMs : route.answerSeconds * 1000,
    )
    for (const end of ['finish', 'close']) reply.raw.once(end, () => clearTimeout(timer))
    // Nothing moves on the connection meanwhile. An injected request has none.
    if (route?.answerSeconds !== undefined) request.raw.socket.setTimeout?.((route.answerSeconds + 60) * 1000)
    timers.set(request, timer)
  })
  app.addHook('preParsing', async (request) => {
    // What is here by now has its time already: it only waited for the database, which says who is asking.
    if (request.raw.complete) return
    arriving.add(request)
    request.raw.once('end', () => timers.get(request)?.refresh())
  })
}
