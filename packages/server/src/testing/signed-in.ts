import type { SignInStep, Tokens } from '@benchwatch/contract/auth'

/** The tokens of a sign-in that asked for nothing more than it was given. Throws where a further step is wanted. */
export function tokensOf(step: SignInStep): Tokens {
  if (!('accessToken' in step)) throw new Error(`The sign-in asks for ${JSON.stringify(step)}.`)
  return step
}
