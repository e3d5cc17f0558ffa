import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { InFlight, Queue } from '../concurrency.ts'
import { type ProblemError, problem } from './problem.ts'

/**
 * Limits for requests of users in flight. Above them, requests are refused at once instead of being kept until the
 * user has given up.
 */
export interface RequestLimits {
  /** Lists and everything else that can be requested again. */
  reads: number
  /** Total including the reads, so changes are refused last. */
  all: number
  /**
   * If the oldest request takes longer than `slowMs`, only this share of the limits applies: a list may take 15 ms or
   * 500 ms.
   */
  slowMs: number
  shareWhenSlow: number
  /** Concurrent requests from the waiting line: fewer than the database's connections, so that lists find free ones. */
  fromLine: number
}

const defaultLimits: RequestLimits = { reads: 100, all: 200, slowMs: 1500, shareWhenSlow: 0.2, fromLine: 6 }
/** Requests beyond this length are refused. */
const LONGEST_LINE = 10_000

/**
 * Refuses reads first, then changes, with 503 and Retry-After under too much load. Gateway requests don't count: they
 * have their own admission control and connections, so they are affected last. Health and readiness always answer.
 * Routes with a waiting line queue instead: when two thousand consoles reconnect in the same second, nine of ten would
 * be refused, and again a second later.
 */
export function shedLoad(app: FastifyInstance, limits: RequestLimits = defaultLimits): void {
  const inFlight = new InFlight()
  const line = new Queue({ atOnce: limits.fromLine, maxWaiting: LONGEST_LINE })
  app.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.config.route?.waitsInLine) {
      await untilItsTurn(line, reply)
      return
    }
    const limit = limitOf(request, limits)
    if (limit === null) return
    const share = inFlight.longestWait > limits.slowMs ? limits.shareWhenSlow : 1
    if (inFlight.count >= limit * share) throw overloaded()
    const end = inFlight.begin()
    // An aborted request only emits close, and an injected one only finish.
    reply.raw.once('finish', end)
    reply.raw.once('close', end)
  })
}

/**
 * Resolves when enough earlier requests are answered. The place in the line is released when this one is answered or
 * its caller disconnects.
 */
function untilItsTurn(line: Queue, { raw }: FastifyReply): Promise<void> {
  return new Promise((resolve, reject) => {
    const turn = line.take('line', async () => {
      resolve()
      if (!raw.destroyed && !raw.writableEnded) await new Promise((over) => raw.once('close', over))
    })
    if (turn === undefined) reject(overloaded())
  })
}

function overloaded(): ProblemError {
  return problem('overloaded', 'The server is busy. Try again in a moment.', {
    retryAfter: 1,
  })
}

function limitOf(request: FastifyRequest, { reads, all }: RequestLimits): number | null {
  const { route } = request.routeOptions.config
  if (!route || route.access.kind === 'gateway') return null
  // Long work says nothing about the speed of lists, and has its own limits.
  if (route.answerSeconds !== undefined) return null
  if (route.access.kind === 'public' && route.method === 'GET') return null
  return ['PUT', 'PATCH', 'DELETE'].includes(route.method) ? all : reads
}

/** Clients wait for the last answer before the next request; a proxy may be one or two requests ahead. */
const AHEAD = 4

/**
 * Refuses a request before it is processed if its connection has several unanswered ones: a thousand fit into 64 kB,
 * and the server would have to keep a thousand answers for a client that does not read them.
 */
export function refusePipelining(app: FastifyInstance): void {
  const unanswered = new WeakMap<object, number>()
  app.addHook('onRequest', async (request, reply) => {
    const { socket } = request.raw
    const count = unanswered.get(socket) ?? 0
    unanswered.set(socket, count + 1)
    reply.raw.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1))
    if (count < AHEAD) return
    throw problem('too-many-requests', 'This connection has too many unanswered requests. Read their answers first.', {
      retryAfter: 1,
    })
  })
}

/** Refuses requests on open connections while the server stops, which closes the connections. */
export function refuseWhileStopping(app: FastifyInstance): void {
  let isStopping = false
  app.addHook('preClose', async () => {
    isStopping = true
  })
  app.addHook('onRequest', async (_request, reply) => {
    if (!isStopping) return
    reply.header('connection', 'close')
    throw problem('unavailable', 'The server is restarting. Try again in a moment.', { retryAfter: 1 })
  })
}

/**
 * Answers 503 if an answer takes too long; routes of long work set their own limit. The database timeouts end the work
 * itself. The time starts when the request has arrived completely: a batch of 1 MB takes longer over a slow connection
 * and would be refused forever. requestTimeout limits the arrival. The time ends when the answer begins: a large file
 * may take as long as the client reads it, which the connection timeouts watch. The handlerTimeout of Fastify would
 * end as soon as a body was read, because Node closes the request then.
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
          problem('unavailable', 'The server is taking too long to answer. Try again in a moment.', { retryAfter: 2 }),
        )
      },
      route?.answerSeconds === undefined ? withinMs : route.answerSeconds * 1000,
    )
    for (const end of ['finish', 'close']) reply.raw.once(end, () => clearTimeout(timer))
    // The connection is idle in the meantime. An injected request has none.
    if (route?.answerSeconds !== undefined) request.raw.socket.setTimeout?.((route.answerSeconds + 60) * 1000)
    timers.set(request, timer)
  })
  app.addHook('preParsing', async (request) => {
    // A request that is complete by now has only waited for authentication in the database, so its timer is right.
    if (request.raw.complete) return
    arriving.add(request)
    request.raw.once('end', () => timers.get(request)?.refresh())
  })
}
