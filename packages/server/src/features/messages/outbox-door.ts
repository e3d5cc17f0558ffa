import type { FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'

/** Whether the demo's transports take what leaves; messages of a real one are nobody's to read. */
function isOutboxInUse({ demo, mail, twilio }: Pick<Config, 'demo' | 'mail' | 'twilio'>): boolean {
  return demo !== 'off' && mail.smtpUrl === null && twilio === null
}

/** Written by proxies; Forwarded is the standard's name, the others are older and usual. */
const PROXY_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'] as const

/**
 * Whether the outbox (3-decisions 1) is open, and whether a request comes from the machine that the server runs on. Then
 * no token is asked for, so doubt means no: another site's page in a browser on this machine is not local, also where
 * its name was made to lead here.
 */
export function createOutboxDoor(config: Pick<Config, 'demo' | 'mail' | 'twilio' | 'publicUrl'>) {
  const isOpen = isOutboxInUse(config)
  const ownNames = ['localhost', '127.0.0.1', '[::1]', new URL(config.publicUrl).hostname]
  return (request: FastifyRequest) => ({
    isOpen,
    isLocal: isOpen && isFromThisMachine(request) && ownNames.includes(request.hostname) && !isFromAnotherSite(request),
  })
}

/**
 * Behind a proxy on the same machine everybody has its address, so what came through one counts only where TRUST_PROXY
 * lets its word count and that names this machine.
 */
function isFromThisMachine({ ip, ips, headers }: FastifyRequest): boolean {
  if (!isLoopback(ip)) return false
  // Fastify lists the addresses only where proxies are trusted.
  const isTrustedProxy = ips !== undefined && ips.length > 1
  return isTrustedProxy || PROXY_HEADERS.every((name) => headers[name] === undefined)
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\.\d+\.\d+\.\d+$/.test(address)
}

/** `none` is an address typed by hand; programs send nothing. */
function isFromAnotherSite({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  return site !== undefined && site !== 'same-origin' && site !== 'none'
}
