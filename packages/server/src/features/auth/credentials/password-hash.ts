import { hash, parseOptions, verify } from '@node-rs/argon2'
import { Queue } from '../../../platform/concurrency.ts'
import { problem } from '../../../platform/http/problem.ts'

/**
 * argon2id with 19 MiB, two passes, one lane: 8 ms each, 53 a second with 40 at once; 64 MiB and three passes would be
 * 76 ms and ten a second. The numbers for the algorithm are the library's: its enum exists for the compiler only.
 */
const PARAMETERS = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** Hashes run on the four threads that file reads and name look-ups need too. */
const MAX_AT_ONCE = 4
/** Above it a wait would be longer than a person's patience, and a flood would fill the memory. */
const MAX_WAITING = 200

const hashing = new Queue({ atOnce: MAX_AT_ONCE, maxWaiting: MAX_WAITING })

function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const turn = hashing.take('hash', work)
  if (!turn) throw problem('overloaded', 'Too many people sign in at the moment. Try again shortly.', { retryAfter: 2 })
  return turn
}

/** The same letters typed on two keyboards may arrive in two forms; both are one password. */
const normal = (password: string) => password.normalize('NFKC')

/** Hash of a password in PHC format. Throws `overloaded` when too many wait. */
export async function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(normal(password), PARAMETERS))
}

/** Checked in place of an account that does not exist or has no password, so that it costs the same time. */
let nobody: Promise<string> | undefined

/** Whether a password fits its hash; with `null` the answer is no after the same work. Throws `overloaded`. */
export async function passwordFits(passwordHash: string | null, password: string): Promise<boolean> {
  nobody ??= hash('nobody has this password', PARAMETERS)
  const stand = await nobody
  const fits = await inTurn(() => verify(passwordHash ?? stand, normal(password)))
  return passwordHash !== null && fits
}

/** Whether a hash was made with other parameters than today's and should be made again at this sign-in. */
export function isOutdated(passwordHash: string): boolean {
  const { algorithm, memoryCost, timeCost, parallelism } = parseOptions(passwordHash)
  return (
    Number(algorithm) !== PARAMETERS.algorithm ||
    memoryCost !== PARAMETERS.memoryCost ||
    timeCost !== PARAMETERS.timeCost ||
    parallelism !== PARAMETERS.parallelism
  )
}
