import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'

const NAME = 'benchwatch_refresh'

/**
 * HttpOnly keeps it from scripts, SameSite=Strict from other sites' requests, the path from every other route. It has no
 * age of its own: the server knows when a session is over, and a browser that is closed drops it.
 */
function attributes(request: FastifyRequest, { publicUrl }: Pick<Config, 'publicUrl'>) {
  const secure = publicUrl.startsWith('https:') || request.protocol === 'https'
  return { path: '/api/auth', httpOnly: true, sameSite: 'strict', secure } as const
}

export function readRefreshCookie(request: FastifyRequest): string | undefined {
  const value = request.cookies[NAME]
  // Ours have 43 characters; anything long is not worth a hash.
  return value === undefined || value === '' || value.length > 100 ? undefined : value
}

export function setRefreshCookie(reply: FastifyReply, token: string, config: Pick<Config, 'publicUrl'>): void {
  reply.setCookie(NAME, token, attributes(reply.request, config))
}

export function clearRefreshCookie(reply: FastifyReply, config: Pick<Config, 'publicUrl'>): void {
  reply.clearCookie(NAME, attributes(reply.request, config))
}
