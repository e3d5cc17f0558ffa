import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'

/** Forgets silences of gateways that ended before this. */
export async function forgetSilences(db: Db, before: Date): Promise<void> {
  await sql`DELETE FROM gateway_silence WHERE until < ${before}`.execute(db)
}
