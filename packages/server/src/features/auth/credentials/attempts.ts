import { isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { takeTurn, turnLeft } from '../../../db/rate-limit.ts'
import { Queue } from '../../../platform/concurrency.ts'
import { ProblemError, problem } from '../../../platform/http/problem.ts'
import type { FeatureContext } from '../../context.ts'
import { countFailure, lockedUntil, recordFailure } from './sign-in-failure.store.ts'

/** The origin of a request, for limits, the log and the user's list of sessions. */
export interface Origin {
  address: string
  /** The browser's user agent, cut to 300 characters. */
  userAgent: string | null
  requestId: string
}

/** Limits guessing of passwords and codes (3-decisions 2). Failures count, successes do not. */
export interface Attempts {
  /**
   * Runs a check for an account. Checks of one account run one after another, so that parallel guesses get no more
   * tries than sequential ones. Throws `attempts-exceeded` without checking while the account is locked.
   */
  ofAccount<T>(who: { login: string; from: Origin }, check: () => Promise<T>): Promise<T>
  /** Runs a check that only counts against the address. Throws `too-many-requests`. */
  ofAddress<T>(from: Origin, check: () => Promise<T>): Promise<T>
}

/** Error codes that count as a failed guess. */
const FAILURES = new Set<string>(['bad-credentials', 'wrong-code'])
/** 200 correct sign-ins to one account take about 2 s; further requests are asked to try again. */
const OF_ACCOUNT = { atOnce: 1, maxWaiting: 200 }
/** Guesses that one address may have in flight beyond its limit. A higher number would not be answered sooner. */
const OF_ADDRESS = { atOnce: 16, maxWaiting: 1000 }
const ADDRESS_WINDOW_SECONDS = 60

export function createAttempts({
  db,
  clock,
  config,
  log,
}: Pick<FeatureContext, 'db' | 'clock' | 'config' | 'log'>): Attempts {
  const accounts = new Queue(OF_ACCOUNT)
  const addresses = new Queue(OF_ADDRESS)
  const { signInFailuresPerAccount, signInFailuresPerAddress } = config.limits

  async function checkAddress<T>(from: Origin, check: () => Promise<T>): Promise<T> {
    const limit = () => ({
      key: `sign-in-failures:${addressOf(from)}`,
      limit: signInFailuresPerAddress,
      windowSeconds: ADDRESS_WINDOW_SECONDS,
      at: clock.now(),
    })
    const turn = await turnLeft(db, limit())
    if (!turn.isAllowed) {
      log.warn({ from: from.address, requestId: from.requestId }, 'address refused after too many failures')
      throw tooManyRequests(turn.retryAfter)
    }
    try {
      return await check()
    } catch (error) {
      if (isFailure(error)) await takeTurn(db, limit())
      throw error
    }
  }

  async function checkAccount<T>({ login, from }: { login: string; from: Origin }, check: () => Promise<T>) {
    const until = await lockedUntil(db, { login, at: clock.now() })
    if (until) {
      log.warn({ from: from.address, requestId: from.requestId }, 'attempt refused: account locked')
      const retryAfter = Math.max(1, Math.ceil((until.getTime() - clock.now().getTime()) / 1000))
      throw problem('attempts-exceeded', 'Password attempts exceeded.', { retryAfter })
    }
    try {
      return await check()
    } catch (error) {
      if (!isFailure(error)) throw error
      const at = clock.now()
      const lock = await countFailure(db, { login, limit: signInFailuresPerAccount, at })
      // Not awaited: otherwise the response would be slower for names that exist.
      recordFailure(db, { login, code: error.code, lockedUntil: lock, at }).catch((failure: unknown) =>
        log.error({ err: failure, requestId: from.requestId }, 'refused attempt could not be recorded'),
      )
      const details = { from: from.address, requestId: from.requestId, code: error.code, lockedUntil: lock }
      log.warn(details, lock ? 'attempt refused: account is now locked' : 'attempt refused')
      throw error
    }
  }

  async function ofAddress<T>(from: Origin, check: () => Promise<T>): Promise<T> {
    const turn = addresses.take(addressOf(from), () => checkAddress(from, check))
    return turn ?? refuse('Too many simultaneous sign-ins from this address. Try again in a moment.')
  }

  return {
    ofAddress,
    ofAccount: (who, check) =>
      ofAddress(who.from, async () => {
        const turn = accounts.take(who.login, () => checkAccount(who, check))
        return turn ?? refuse('Too many simultaneous sign-ins to this account. Try again in a moment.')
      }),
  }
}

/** Counts a request of an address. Throws `too-many-requests` above `limit` requests of this name in a minute. */
export async function countRequest(
  { db, clock }: Pick<FeatureContext, 'db' | 'clock'>,
  { name, from, limit }: { name: string; from: Pick<Origin, 'address'>; limit: number },
): Promise<void> {
  const key = `${name}:${addressOf(from)}`
  const turn = await takeTurn(db, { key, limit, windowSeconds: ADDRESS_WINDOW_SECONDS, at: clock.now() })
  if (!turn.isAllowed) throw tooManyRequests(turn.retryAfter)
}

function tooManyRequests(retryAfter: number): ProblemError {
  return problem('too-many-requests', 'Too many requests, please try again later.', { retryAfter })
}

function refuse(detail: string): never {
  throw problem('overloaded', detail, { retryAfter: 2 })
}

function isFailure(error: unknown): error is ProblemError {
  return error instanceof ProblemError && FAILURES.has(error.code)
}

export function originOf(request: FastifyRequest): Origin {
  const userAgent = request.headers['user-agent']?.slice(0, 300) ?? null
  return { address: request.ip, userAgent, requestId: request.id }
}

/**
 * Returns the key under which an address is counted: the address itself, or for IPv6 its /64 network, because a
 * household or a rented server has all 2^64 addresses of one network.
 */
export function addressOf({ address }: Pick<Origin, 'address'>): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped) return mapped
  if (!isIPv6(address)) return address
  const [head = '', tail] = (address.split('%', 1)[0] ?? '').split('::')
  const groups = head === '' ? [] : head.split(':')
  // `::` stands for all missing zeros; of the first four groups, only those before it can be nonzero.
  const rest = tail === undefined ? [] : tail.split(':').filter(Boolean)
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - groups.length - rest.length)).fill('0')
  const network = [...groups, ...zeros, ...rest].slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return `${network.join(':')}::/64`
}
