import type { Db } from '../db/connect.ts'

/** Forgets failures and what was counted, so that what one test got wrong locks nobody in the next. */
export async function forgetAttempts(db: Db): Promise<void> {
  await db.deleteFrom('sign_in_failure').execute()
  await db.deleteFrom('rate_use').execute()
}
