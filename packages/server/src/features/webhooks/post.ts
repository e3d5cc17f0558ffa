import { lookup as resolve } from 'node:dns'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** Sends a request to a receiver that a user named, but never to a private network, and without blocking the server. */

/** Addresses that are not on the public internet, among them those of cloud metadata. */
const nonPublic = blockList([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
])
/** The public part of IPv6, and the ranges in it that map to IPv4 or to nothing. */
const publicIpv6 = blockList(['2000::/3'])
const nonPublicIpv6 = blockList(['2001::/23', '2001:db8::/32', '2002::/16'])

/** Characters of an answer that are kept. */
const KEPT_ANSWER = 1000
/** The rest of an answer is not read. */
const READ_BYTES = 4 * KEPT_ANSWER

/** Returns a list of networks in CIDR notation, such as `10.20.0.0/16`. */
export function blockList(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', prefix = ''] = network.split('/')
    list.addSubnet(address, Number(prefix), familyOf(address))
  }
  return list
}

/** Returns true if an IP address is public or lies in one of the allowed networks. */
export function mayReach(address: string, allowed: BlockList): boolean {
  const family = familyOf(address)
  if (allowed.check(address, family)) return true
  // IPv4 addresses that are mapped into IPv6 lie outside the public part.
  if (family === 'ipv6') return publicIpv6.check(address, family) && !nonPublicIpv6.check(address, family)
  return !nonPublic.check(address, family)
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}

/** Returns the host of a URL as an IP address; undefined if it is a name. */
export function addressIn({ hostname }: URL): string | undefined {
  const address = hostname.replace(/^\[|\]$/g, '')
  return isIP(address) === 0 ? undefined : address
}

/** The outcome of an attempt: `error` is a sentence, null after a status of 2xx. */
export interface Outcome {
  status: number | null
  answer: string | null
  error: string | null
}

class NotReachable extends Error {}

interface Post {
  url: string
  body: string
  headers: Readonly<Record<string, string>>
  /** Private networks that may be reached, even without TLS. */
  allowed: BlockList
  /** Limit for the whole exchange, in milliseconds. */
  timeoutMs: number
}

/** Posts JSON and returns what came of it; never throws. Redirects are not followed. */
export async function post({ url, body, headers, allowed, timeoutMs }: Post): Promise<Outcome> {
  try {
    const target = new URL(url)
    const mayConnect = (address: string) =>
      target.protocol === 'https:' ? mayReach(address, allowed) : allowed.check(address, familyOf(address))
    const literal = addressIn(target)
    if (literal !== undefined && !mayConnect(literal)) throw new NotReachable()
    const { status, answer } = await exchange(target, {
      body,
      headers,
      lookup: checkedLookup(mayConnect),
      signal: AbortSignal.timeout(timeoutMs),
    })
    return { status, answer, error: status >= 200 && status < 300 ? null : refusalOf(status) }
  } catch (error) {
    return { status: null, answer: null, error: sentenceOf(error, timeoutMs) }
  }
}

/**
 * Resolves names and refuses those that lead elsewhere. The connection uses the addresses that were checked, so a name
 * that changes in between gains nothing.
 */
function checkedLookup(mayConnect: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? []
      if (error) callback(error, '')
      else if (first === undefined || !addresses.every(({ address }) => mayConnect(address)))
        callback(new NotReachable(), '')
      else if (options.all) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
}

interface Exchange {
  body: string
  headers: Readonly<Record<string, string>>
  lookup: LookupFunction
  signal: AbortSignal
}

function exchange(url: URL, { body, headers, lookup, signal }: Exchange): Promise<{ status: number; answer: string }> {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise((done, fail) => {
    const outgoing = request(url, {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
      },
      lookup,
      signal,
      // A connection of its own: receivers are many, and one that was closed meanwhile would look like a failure.
      agent: false,
    })
    outgoing.on('error', fail)
    outgoing.on('response', (response) => {
      const parts: Buffer[] = []
      let size = 0
      const finish = () => done({ status: response.statusCode ?? 0, answer: textOf(Buffer.concat(parts)) })
      // The status has arrived: a receiver whose answer never ends, or breaks, must not get the message again.
      outgoing.off('error', fail).on('error', finish)
      response.on('error', finish)
      response.on('end', finish)
      response.on('data', (part: Buffer) => {
        parts.push(part)
        size += part.length
        if (size < READ_BYTES) return
        finish()
        outgoing.destroy()
      })
    })
    outgoing.end(body)
  })
}

/** PostgreSQL stores no NUL. */
function textOf(answer: Buffer): string {
  return answer.toString('utf8').replaceAll('\u0000', '\uFFFD').slice(0, KEPT_ANSWER).toWellFormed()
}

function refusalOf(status: number): string {
  if (status >= 300 && status < 400)
    return `The receiver redirects (${status}). Redirects are not followed: enter the address that it redirects to.`
  if (status === 410) return 'The receiver is gone (410), so the webhook has ended.'
  return `The receiver answered ${status}.`
}

function sentenceOf(error: unknown, timeoutMs: number): string {
  if (error instanceof NotReachable)
    return 'The address belongs to a private network. Whoever operates this server can allow it (WEBHOOK_NETWORKS).'
  const { name, code } = error as { name?: string; code?: string }
  if (name === 'TimeoutError' || name === 'AbortError')
    return `The receiver did not answer within ${timeoutMs / 1000} seconds.`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'The name of the receiver could not be resolved.'
  if (code !== undefined && isAboutCertificate(code)) return `The certificate of the receiver is not valid (${code}).`
  return `The receiver could not be reached (${code ?? 'unknown error'}).`
}

function isAboutCertificate(code: string): boolean {
  return /CERT|SIGNATURE|ERR_TLS|ERR_SSL|EPROTO/.test(code)
}
