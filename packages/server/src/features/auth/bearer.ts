import type { FastifyRequest } from 'fastify'

/** The bearer token or key of a request; undefined when there is none that could be one. */
export function bearerOf(request: FastifyRequest): string | undefined {
  return /^Bearer ([A-Za-z0-9._~+/=-]{1,4096})$/i.exec(request.headers.authorization ?? '')?.[1]
}
