import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/**
 * Mantine sets styles on elements, so style-src needs 'unsafe-inline' (without it the page is unusable); scripts come
 * from this origin alone, pictures from `imageOrigins` too. Nothing may frame the console.
 */
const contentSecurityPolicy = (imageOrigins: readonly string[]) =>
  [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    ["img-src 'self' data:", ...imageOrigins].join(' '),
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
const strictestPolicy = contentSecurityPolicy([])

/**
 * A worker has the policy that its own file came with, so WebAssembly is allowed to the workers alone that are built for it, and
 * the console's pages stay without. Modules come within such a file (data:), and bytes go to libraries by addresses (blob:).
 */
const wasmWorkerPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self' data: blob:"
/** Sources named `*.wasm-worker.ts`, as the build of the console writes them. */
const wasmWorker = /^\/assets\/[\w.-]*\.wasm-worker-[\w-]+\.js(?:\?|$)/

/** `imageOrigins`: from where pictures may come beside this origin, as a policy writes them (`https://*.tile.example`). */
export function installSecurityHeaders(app: FastifyInstance, imageOrigins: readonly string[]): void {
  const policy = contentSecurityPolicy(imageOrigins)
  app.addHook('onSend', async (request, reply) => setSecurityHeaders(request, reply, policy))
}

export function setSecurityHeaders(request: FastifyRequest, reply: FastifyReply, policy = strictestPolicy): void {
  reply.header('content-security-policy', wasmWorker.test(request.url) ? wasmWorkerPolicy : policy)
  reply.header('x-content-type-options', 'nosniff')
  reply.header('referrer-policy', 'no-referrer')
  reply.header('x-frame-options', 'DENY')
  reply.header('cross-origin-opener-policy', 'same-origin')
  reply.header('cross-origin-resource-policy', 'same-origin')
  reply.header('permissions-policy', 'camera=(), microphone=(), geolocation=()')
  if (request.protocol === 'https') reply.header('strict-transport-security', 'max-age=31536000; includeSubDomains')
  if (/^\/api(?:[/?]|$)/.test(request.url) && !reply.hasHeader('cache-control'))
    reply.header('cache-control', 'no-store')
}
