import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

interface Source {
  origin: string | undefined
  /** Sec-Fetch-Site, which scripts can't forge. */
  fetchSite: string | undefined
  host: string
}

/** What pages may have beside what comes from this origin, and which of them may stand in frames. */
export interface Openings {
  /** From where pictures may come, as a policy writes them (`https://*.tile.example`). */
  imageOrigins?: readonly string[]
  /** Whose pages may stand in frames of the console. */
  frameOrigins?: readonly string[]
  /** Beginnings of paths, `/x/`, whose pages may stand in frames of this origin; all others in none. */
  framedPaths?: readonly string[]
}

/**
 * Mantine sets styles on elements, so style-src needs 'unsafe-inline' (without it the page is unusable); scripts come
 * from this origin alone. Nothing may frame the console.
 */
const contentSecurityPolicy = ({ imageOrigins = [], frameOrigins = [] }: Openings, ancestors: "'none'" | "'self'") =>
  [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    ["img-src 'self' data:", ...imageOrigins].join(' '),
    ["frame-src 'self'", ...frameOrigins].join(' '),
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${ancestors}`,
  ].join('; ')
const strictestPolicy = contentSecurityPolicy({}, "'none'")

/**
 * A worker has the policy that its own file came with, so WebAssembly is allowed to the workers alone that are built for it, and
 * the console's pages stay without. Modules come within such a file (data:), and bytes go to libraries by addresses (blob:).
 */
const wasmWorkerPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self' data: blob:"
/** Sources named `*.wasm-worker.ts`, as the build of the console writes them. */
const wasmWorker = /^\/assets\/[\w.-]*\.wasm-worker-[\w-]+\.js(?:\?|$)/

export function installSecurityHeaders(app: FastifyInstance, openings: Openings): void {
  const policy = contentSecurityPolicy(openings, "'none'")
  const framedPolicy = contentSecurityPolicy(openings, "'self'")
  app.addHook('onSend', async (request, reply) => {
    const isFramed = openings.framedPaths?.some((path) => request.url.startsWith(path)) ?? false
    setSecurityHeaders(request, reply, isFramed ? framedPolicy : policy)
    // Browsers that know frame-ancestors ignore it; the others must not be stricter.
    if (isFramed) reply.header('x-frame-options', 'SAMEORIGIN')
  })
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

/**
 * Whether a page of this origin came from this server: its public address, or the very host that was asked. The scheme
 * is not compared for the latter, because a proxy may have ended TLS.
 */
export function isOwnOrigin(publicUrl: string, { origin, host }: { origin: string; host: string }): boolean {
  if (origin === new URL(publicUrl).origin) return true
  return origin === `http://${host}` || origin === `https://${host}`
}

/**
 * Whether a browser says that a request was made by another site. Programs that send neither header are let through:
 * they hold no cookie that somebody else could ride on. `same-site` is not enough, because every port of a host and
 * every sibling domain is the same site; then the origin decides.
 */
export function isFromElsewhere(publicUrl: string, { origin, fetchSite, host }: Source): boolean {
  if (fetchSite === 'same-origin') return false
  if (fetchSite === 'cross-site') return true
  return origin !== undefined && !isOwnOrigin(publicUrl, { origin, host })
}
