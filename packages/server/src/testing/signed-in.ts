import type { SignInStep, Tokens } from '@benchwatch/contract/users/auth'
import type { Db } from '../db/connect.ts'

/** Returns the tokens of a completed sign-in. Throws if a further step is required. */
export function tokensOf(step: SignInStep): Tokens {
  if (!('accessToken' in step)) throw new Error(`The sign-in asks for ${JSON.stringify(step)}.`)
  return step
}

/** Deletes failures and rate limits, so that failures in one test lock no account in the next. */
export async function forgetAttempts(db: Db): Promise<void> {
  await db.deleteFrom('sign_in_failure').execute()
  await db.deleteFrom('rate_use').execute()
}
