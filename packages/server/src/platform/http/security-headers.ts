import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

interface Source {
  origin: string | undefined
  /** Sec-Fetch-Site, which scripts can't forge. */
  fetchSite: string | undefined
  host: string
}

/** Further origins that pages may load from, and pages that may be framed. */
export interface PolicyOptions {
  /** Origins of images, in the syntax of a policy (`https://*.tile.example`). */
  imageOrigins?: readonly string[]
  /** Origins of pages that the console may show in frames. */
  frameOrigins?: readonly string[]
  /** Path prefixes, `/x/`, whose pages may be framed by this origin; all others may not be framed. */
  framedPaths?: readonly string[]
}

/**
 * Content security policy. Mantine sets styles on elements, so style-src needs 'unsafe-inline' (the page is unusable
 * without it); scripts come from this origin only. No page may frame the console. Firefox takes a file that a framed
 * page saves (blob:) for a page in that frame.
 */
const contentSecurityPolicy = (
  { imageOrigins = [], frameOrigins = [] }: PolicyOptions,
  ancestors: "'none'" | "'self'",
) =>
  [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    ["img-src 'self' data:", ...imageOrigins].join(' '),
    ["frame-src 'self' blob:", ...frameOrigins].join(' '),
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${ancestors}`,
  ].join('; ')
const strictestPolicy = contentSecurityPolicy({}, "'none'")

/**
 * A worker has the policy of its own file, so WebAssembly is allowed only in the workers that are built for it, and
 * not in the console's pages. Such a file embeds its modules (data:), and passes bytes to libraries as URLs (blob:).
 */
const wasmWorkerPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self' data: blob:"
/** Matches the built files of sources named `*.wasm-worker.ts`. */
const wasmWorker = /^\/assets\/[\w.-]*\.wasm-worker-[\w-]+\.js(?:\?|$)/

export function installSecurityHeaders(app: FastifyInstance, options: PolicyOptions): void {
  const policy = contentSecurityPolicy(options, "'none'")
  const framedPolicy = contentSecurityPolicy(options, "'self'")
  app.addHook('onSend', async (request, reply) => {
    const isFramed = options.framedPaths?.some((path) => request.url.startsWith(path)) ?? false
    setSecurityHeaders(request, reply, isFramed ? framedPolicy : policy)
    // Browsers that know frame-ancestors ignore this header; the others must not be stricter.
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
 * Returns true if the origin is this server: its public URL, or the requested host. For the latter the scheme is not
 * compared, because a proxy may have terminated TLS.
 */
export function isOwnOrigin(publicUrl: string, { origin, host }: { origin: string; host: string }): boolean {
  if (origin === new URL(publicUrl).origin) return true
  return origin === `http://${host}` || origin === `https://${host}`
}

/**
 * Returns true if a browser reports that another site made the request. Programs that send neither header pass: they
 * have no cookie that could be abused. For `same-site` the origin decides, because every port of a host and every
 * sibling domain is the same site.
 */
export function isFromElsewhere(publicUrl: string, { origin, fetchSite, host }: Source): boolean {
  if (fetchSite === 'same-origin') return false
  if (fetchSite === 'cross-site') return true
  return origin !== undefined && !isOwnOrigin(publicUrl, { origin, host })
}
