import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { tokenHash } from './refresh-token.ts'

/** Time to open the live connection with a token, in seconds. */
export const LIVE_TOKEN_SECONDS = 30 as const

/**
 * A token that opens one live connection of a session. An access token in an address would end in access logs; this one
 * is worth nothing by then. Its time is the database's, because another node may redeem it.
 */
export async function createLiveToken(db: Db, sessionId: string): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await db
    .insertInto('live_token')
    .values({
      token_hash: tokenHash(token),
      session_id: sessionId,
      expires_at: sql<Date>`now() + make_interval(secs => ${LIVE_TOKEN_SECONDS})`,
    })
    .execute()
  return token
}
