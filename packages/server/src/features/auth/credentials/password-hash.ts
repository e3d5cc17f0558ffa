import { hash, parseOptions, verify } from '@node-rs/argon2'
import { Queue } from '../../../platform/concurrency.ts'
import { problem } from '../../../platform/http/problem.ts'

/**
 * argon2id with 19 MiB, two passes and one lane takes 8 ms per hash and gives 53 hashes a second with 40 in parallel;
 * 64 MiB and three passes would take 76 ms and give ten a second. The algorithm is given as a number because the
 * library's enum exists for the compiler only.
 */
const PARAMETERS = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** Hashes run on the four threads that file reads and name lookups need as well. */
const MAX_AT_ONCE = 4
/** More waiting requests would exceed a person's patience, and a flood would fill the memory. */
const MAX_WAITING = 200

const hashing = new Queue({ atOnce: MAX_AT_ONCE, maxWaiting: MAX_WAITING })

function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const turn = hashing.take('hash', work)
  if (!turn) throw problem('overloaded', 'Too many users are signing in. Try again in a moment.', { retryAfter: 2 })
  return turn
}

/** Normalises Unicode, because two keyboards may encode the same characters differently. */
const normal = (password: string) => password.normalize('NFKC')

/** Hashes a password in PHC format. Throws `overloaded` if too many hashes are waiting. */
export async function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(normal(password), PARAMETERS))
}

/** Hash to check for accounts that do not exist or have no password, so that the check takes equally long. */
let dummyHash: Promise<string> | undefined

/** True if a password matches its hash. `null` never matches, after equal work. Throws `overloaded`. */
export async function passwordFits(passwordHash: string | null, password: string): Promise<boolean> {
  dummyHash ??= hash('nobody has this password', PARAMETERS)
  const stand = await dummyHash
  const fits = await inTurn(() => verify(passwordHash ?? stand, normal(password)))
  return passwordHash !== null && fits
}

/** True if a hash was made with other parameters than the current ones and should be renewed at this sign-in. */
export function isOutdated(passwordHash: string): boolean {
  const { algorithm, memoryCost, timeCost, parallelism } = parseOptions(passwordHash)
  return (
    Number(algorithm) !== PARAMETERS.algorithm ||
    memoryCost !== PARAMETERS.memoryCost ||
    timeCost !== PARAMETERS.timeCost ||
    parallelism !== PARAMETERS.parallelism
  )
}
