import { createServer, type Server } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { Counter, Histogram, type Registry } from 'prom-client'
import type { Log } from '../log.ts'
import { isSameSecret } from '../secret-token.ts'

const PATH = '/metrics'

interface MetricsEndpoint {
  registry: Registry
  /** Token that a client must send as `Authorization: Bearer <token>`; null if none is needed. */
  token: string | null
}

/** Serves the metrics on the main port to clients with the token; without a configured token, the route answers 404. */
export function serveMetrics(app: FastifyInstance, { registry, token }: MetricsEndpoint): void {
  app.get(PATH, { schema: { hide: true } }, async (request, reply) => {
    reply.header('Cache-Control', 'no-store').type('text/plain; charset=utf-8')
    if (token === null)
      return reply.code(404).send('Metrics are not served here. Set METRICS_TOKEN, or use the port METRICS_PORT.\n')
    if (!isSameSecret(`Bearer ${token}`, request.headers.authorization ?? '')) {
      return reply.code(401).header('WWW-Authenticate', 'Bearer').send('Send METRICS_TOKEN as a bearer token.\n')
    }
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}

/** Serves the metrics on a separate port, for this machine or an internal network. */
export async function startMetricsServer(
  { registry, token }: MetricsEndpoint,
  { host, port, log }: { host: string; port: number; log: Log },
): Promise<{ port: number; stop(): Promise<void> }> {
  const server = createServer((request, response) => {
    const answer = (status: number, type: string, body: string) => {
      response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' }).end(body)
    }
    const text = 'text/plain; charset=utf-8'
    if (request.method !== 'GET' || request.url?.split('?', 1)[0] !== PATH) {
      answer(404, text, `Metrics are at GET ${PATH}.\n`)
    } else if (token !== null && !isSameSecret(`Bearer ${token}`, request.headers.authorization ?? '')) {
      answer(401, text, 'Send METRICS_TOKEN as a bearer token.\n')
    } else {
      registry.metrics().then(
        (metrics) => answer(200, registry.contentType, metrics),
        (error: unknown) => {
          log.error({ err: error }, 'metrics could not be read')
          answer(500, text, 'Metrics could not be read. See the log.\n')
        },
      )
    }
  })
  await listening(server, { host, port })
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function listening(server: Server, at: { host: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(at, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/**
 * Counts requests and their duration by the declared path of the route, never by the requested URL, so the number of
 * series is limited by the contract. Requests without a route count as `other`.
 */
export function measureRequests(app: FastifyInstance, registry: Registry): void {
  const requests = new Counter({
    name: 'benchwatch_http_requests_total',
    help: 'Requests answered, by route and status',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  })
  const seconds = new Histogram({
    name: 'benchwatch_http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer, by route',
    labelNames: ['method', 'route'],
    buckets: [0.01, 0.05, 0.25, 1, 5],
    registers: [registry],
  })
  app.addHook('onResponse', async (request, reply) => {
    const { config, url } = request.routeOptions
    const route = config.route === undefined && !url?.startsWith('/api/') ? 'other' : (url ?? 'other')
    const method = route === 'other' ? 'any' : request.method
    requests.inc({ method, route, status: reply.statusCode })
    seconds.observe({ method, route }, reply.elapsedTime / 1000)
  })
}
