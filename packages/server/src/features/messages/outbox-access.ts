import type { FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'

/** Returns true if demo transports accept the messages. Messages of real transports are never readable. */
function isOutboxInUse({ demo, mail, twilio }: Pick<Config, 'demo' | 'mail' | 'twilio'>): boolean {
  return demo !== 'off' && mail.smtpUrl === null && twilio === null
}

/**
 * Returns true for headers that proxies add. Matched by form, because every product has its own: Forwarded,
 * X-Forwarded-Proto, X-Original-Forwarded-For; X-Real-IP, True-Client-IP, CF-Connecting-IP; Via.
 */
const isOfProxy = (name: string) => name === 'via' || name.includes('forwarded') || name.endsWith('-ip')

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]']

/**
 * Tells whether the outbox (3-decisions 1) is open, and whether a request comes from the server's own machine. Such
 * requests need no token, so any doubt means no: another site's page in a browser on this machine is not local, even
 * if its name resolves to this machine.
 */
export function createOutboxAccess(config: Pick<Config, 'demo' | 'mail' | 'twilio' | 'publicUrl'>) {
  const isOpen = isOutboxInUse(config)
  const publicName = new URL(config.publicUrl).hostname
  return (request: FastifyRequest) => ({
    isOpen,
    isLocal: isOpen && isFromThisMachine(request, publicName) && !isFromAnotherSite(request),
  })
}

/**
 * Behind a proxy on the same machine, all requests have its address. A proxied request is therefore local only if
 * TRUST_PROXY trusts the proxy and the forwarded address is this machine's. Without forwarded headers, the public name
 * does not prove a local request: a proxy that forwards only the host name looks exactly like that.
 */
function isFromThisMachine({ ip, ips, headers, hostname }: FastifyRequest, publicName: string): boolean {
  if (!isLoopback(ip)) return false
  // Fastify lists the addresses only if it trusts proxies.
  if (ips !== undefined && ips.length > 1) return [...LOOPBACK_NAMES, publicName].includes(hostname)
  return LOOPBACK_NAMES.includes(hostname) && !Object.keys(headers).some(isOfProxy)
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\.\d+\.\d+\.\d+$/.test(address)
}

/** `none` is an address typed by hand; programs send no such header. */
function isFromAnotherSite({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  return site !== undefined && site !== 'same-origin' && site !== 'none'
}
