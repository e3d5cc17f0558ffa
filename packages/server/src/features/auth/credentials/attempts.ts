import { isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { takeTurn, turnLeft } from '../../../db/rate-limit.ts'
import { Queue } from '../../../platform/concurrency.ts'
import { ProblemError, problem } from '../../../platform/http/problem.ts'
import type { FeatureContext } from '../../context.ts'
import { countFailure, lockedUntil, recordFailure } from './sign-in-failure.store.ts'

/** From where somebody asks: for limits, for the log, and for the list of one's sessions. */
export interface Origin {
  address: string
  /** As the browser names itself, cut to 300 characters. */
  userAgent: string | null
  requestId: string
}

/** Stands between guessing and whatever is guessed: passwords and codes (3-decisions 2). Failures count, successes don't. */
export interface Attempts {
  /**
   * Runs a check of what somebody brought for an account, one after the other for one account, so that guesses sent
   * side by side get no more tries than in a row. Throws `attempts-exceeded` while it is locked, without checking.
   */
  ofAccount<T>(who: { login: string; from: Origin }, check: () => Promise<T>): Promise<T>
  /** The same where only the address counts. Throws `too-many-requests`. */
  ofAddress<T>(from: Origin, check: () => Promise<T>): Promise<T>
}

/** What counts as a guess that failed. */
const FAILURES = new Set<string>(['bad-credentials', 'wrong-code'])
/** One after the other. 200 right sign-ins of one account take about 2 s; who comes then is told to come again. */
const OF_ACCOUNT = { atOnce: 1, maxWaiting: 200 }
/** So many guesses of one address may go on beyond its limit; more at once would not be answered sooner. */
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
      throw problem('too-many-requests', 'Too many requests, please try again later.', { retryAfter: turn.retryAfter })
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
      // Not waited for: the answer would come later for a name that somebody has.
      recordFailure(db, { login, code: error.code, lockedUntil: lock, at }).catch((failure: unknown) =>
        log.error({ err: failure, requestId: from.requestId }, 'a refused attempt could not be recorded'),
      )
      const told = { from: from.address, requestId: from.requestId, code: error.code, lockedUntil: lock }
      log.warn(told, lock ? 'attempt refused: account locked from now on' : 'attempt refused')
      throw error
    }
  }

  async function ofAddress<T>(from: Origin, check: () => Promise<T>): Promise<T> {
    const turn = addresses.take(addressOf(from), () => checkAddress(from, check))
    return turn ?? refuse('Too many sign-ins of this address at once. Try again shortly.')
  }

  return {
    ofAddress,
    ofAccount: (who, check) =>
      ofAddress(who.from, async () => {
        const turn = accounts.take(who.login, () => checkAccount(who, check))
        return turn ?? refuse('Too many sign-ins of this account at once. Try again shortly.')
      }),
  }
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
