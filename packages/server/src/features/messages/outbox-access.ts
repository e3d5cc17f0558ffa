import type { FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'

/** Whether the demo's transports take what leaves; messages of a real one are nobody's to read. */
function isOutboxInUse({ demo, mail, twilio }: Pick<Config, 'demo' | 'mail' | 'twilio'>): boolean {
  return demo !== 'off' && mail.smtpUrl === null && twilio === null
}

/**
 * Whether a header is one that proxies write. By the form of its name, because every product has its own: Forwarded,
 * X-Forwarded-Proto, X-Original-Forwarded-For; X-Real-IP, True-Client-IP, CF-Connecting-IP; Via.
 */
const isOfProxy = (name: string) => name === 'via' || name.includes('forwarded') || name.endsWith('-ip')

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]']

/**
 * Whether the outbox (3-decisions 1) is open, and whether a request comes from the machine that the server runs on. Then
 * no token is asked for, so doubt means no: another site's page in a browser on this machine is not local, also where
 * its name was made to lead here.
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
 * Behind a proxy on the same machine everybody has its address, so what came through one counts only where TRUST_PROXY
 * lets its word count and that names this machine. Without such a word the public name is no sign of this machine: a
 * proxy that passes nothing on but the name asks exactly like that.
 */
function isFromThisMachine({ ip, ips, headers, hostname }: FastifyRequest, publicName: string): boolean {
  if (!isLoopback(ip)) return false
  // Fastify lists the addresses only where proxies are trusted.
  if (ips !== undefined && ips.length > 1) return [...LOOPBACK_NAMES, publicName].includes(hostname)
  return LOOPBACK_NAMES.includes(hostname) && !Object.keys(headers).some(isOfProxy)
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\.\d+\.\d+\.\d+$/.test(address)
}

/** `none` is an address typed by hand; programs send nothing. */
function isFromAnotherSite({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  return site !== undefined && site !== 'same-origin' && site !== 'none'
}
