import type { Db, Trx } from '../../../db/connect.ts'
import { newToken, tokenHash } from '../../../platform/secret-token.ts'
import type { PendingStep } from '../providers/identity-provider.ts'
import { seal, unseal } from '../session/sealed-secret.ts'

/** Lifetime of a challenge. A code may expire sooner; the challenge stays open for another code. */
const CHALLENGE_MS = 15 * 60_000

/** Stores a challenge and returns its token, of which only the hash is stored. */
export async function createChallenge(
  db: Db,
  { pending, at }: { pending: PendingStep; at: Date },
): Promise<{ challengeToken: string }> {
  const challengeToken = newToken()
  const hash = tokenHash(challengeToken)
  await db
    .insertInto('auth_challenge')
    .values({
      token_hash: hash,
      kind: pending.kind,
      login: pending.login,
      state: await sealState(db, { challengeToken, state: pending.state, at }),
      created_at: at,
      expires_at: new Date(at.getTime() + CHALLENGE_MS),
    })
    .execute()
  return { challengeToken }
}

/**
 * The sealed part of a challenge: the provider's state, and the time it was created, which limits how often a code can
 * be requested.
 */
interface Kept {
  state: string
  askedAt: number
}

/** Returns the challenge of a token, or undefined if it is unknown, answered or expired. */
export async function findChallenge(
  db: Db,
  { challengeToken, at }: { challengeToken: string; at: Date },
): Promise<{ pending: PendingStep; askedAt: Date } | undefined> {
  const hash = tokenHash(challengeToken)
  const row = await db
    .selectFrom('auth_challenge')
    .select(['kind', 'login', 'state'])
    .where('token_hash', '=', hash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', at)
    .executeTakeFirst()
  if (!row?.state) return undefined
  const kept = await unseal(db, { sealed: row.state, use: sealUse(hash), token: challengeToken })
  const { state, askedAt } = JSON.parse(kept) as Kept
  return { pending: { kind: row.kind, login: row.login, state }, askedAt: new Date(askedAt) }
}

/**
 * Uses up one try before the answer is judged, so that several nodes together allow no more. Returns false if none is
 * left.
 */
export async function takeTry(
  db: Db,
  { challengeToken, limit }: { challengeToken: string; limit: number },
): Promise<boolean> {
  const row = await db
    .updateTable('auth_challenge')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('token_hash', '=', tokenHash(challengeToken))
    .where('tries', '<', limit)
    .where('used_at', 'is', null)
    .returning('tries')
    .executeTakeFirst()
  return row !== undefined
}

/** Returns a try that was not a guess, such as an answer in the wrong form. */
export async function giveTryBack(db: Db, challengeToken: string): Promise<void> {
  await db
    .updateTable('auth_challenge')
    .set((eb) => ({ tries: eb('tries', '-', 1) }))
    .where('token_hash', '=', tokenHash(challengeToken))
    .where('tries', '>', 0)
    .execute()
}

/** Marks a challenge as used. Returns false if another request did so first. */
export async function spendChallenge(
  db: Db,
  { challengeToken, at }: { challengeToken: string; at: Date },
): Promise<boolean> {
  const row = await db
    .updateTable('auth_challenge')
    .set({ used_at: at, state: null })
    .where('token_hash', '=', tokenHash(challengeToken))
    .where('used_at', 'is', null)
    .returning('token_hash')
    .executeTakeFirst()
  return row !== undefined
}

/** Replaces the code of a challenge and resets its tries. */
export async function replaceChallengeState(
  db: Db,
  { challengeToken, state, at }: { challengeToken: string; state: string; at: Date },
): Promise<void> {
  await db
    .updateTable('auth_challenge')
    .set({ state: await sealState(db, { challengeToken, state, at }), tries: 0 })
    .where('token_hash', '=', tokenHash(challengeToken))
    .where('used_at', 'is', null)
    .execute()
}

/** Deletes the open challenges of an account. They become void when its password changes. */
export async function forgetChallenges(trx: Trx, login: string): Promise<void> {
  await trx.deleteFrom('auth_challenge').where('login', '=', login).execute()
}

export async function forgetOldChallenges(db: Db, at: Date): Promise<void> {
  await db.deleteFrom('auth_challenge').where('expires_at', '<', at).execute()
}

function sealState(
  db: Db,
  { challengeToken, state, at }: { challengeToken: string; state: string; at: Date },
): Promise<Buffer> {
  const kept: Kept = { state, askedAt: at.getTime() }
  return seal(db, { text: JSON.stringify(kept), use: sealUse(tokenHash(challengeToken)), token: challengeToken })
}

function sealUse(hash: Buffer): string {
  return `challenge/${hash.toString('hex')}`
}
