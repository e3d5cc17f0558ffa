import type { FastifyInstance } from 'fastify'
import { Counter, Histogram, type Registry } from 'prom-client'

/**
 * Counts requests and their time by the address of the route as it is declared, never by the address that was asked for:
 * there are as many routes as the contract has, whatever is asked. What came to no route is `other`.
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
