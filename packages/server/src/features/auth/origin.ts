import { isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** From where somebody asks: for limits, for the log, and for the list of one's sessions. */
export interface Origin {
  address: string
  /** As the browser names itself, cut to 300 characters. */
  userAgent: string | null
  requestId: string
}

export function originOf(request: FastifyRequest): Origin {
  const userAgent = request.headers['user-agent']?.slice(0, 300) ?? null
  return { address: request.ip, userAgent, requestId: request.id }
}

/**
 * What an address counts as: itself, or for IPv6 its network of 64 bits, because a household or a rented server has all
 * 2^64 addresses of one.
 */
export function addressOf({ address }: Pick<Origin, 'address'>): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped) return mapped
  if (!isIPv6(address)) return address
  const [head = '', tail] = (address.split('%', 1)[0] ?? '').split('::')
  const groups = head === '' ? [] : head.split(':')
  // `::` stands for as many zeros as are missing; of the first four groups only those before it can be others.
  const rest = tail === undefined ? [] : tail.split(':').filter(Boolean)
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - groups.length - rest.length)).fill('0')
  const network = [...groups, ...zeros, ...rest].slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return `${network.join(':')}::/64`
}
