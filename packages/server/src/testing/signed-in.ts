import type { SignInStep, Tokens } from '@benchwatch/contract/auth'
import type { Db } from '../db/connect.ts'

/** The tokens of a sign-in that asked for nothing more than it was given. Throws where a further step is wanted. */
export function tokensOf(step: SignInStep): Tokens {
  if (!('accessToken' in step)) throw new Error(`The sign-in asks for ${JSON.stringify(step)}.`)
  return step
}

/** Forgets failures and what was counted, so that what one test got wrong locks nobody in the next. */
export async function forgetAttempts(db: Db): Promise<void> {
  await db.deleteFrom('sign_in_failure').execute()
  await db.deleteFrom('rate_use').execute()
}
