import { ApiError, type Credentials, createClient } from './client.ts'

/**
 * Returns credentials that sign in with a password when the first call is made, and again when the session has ended.
 * Calls throw ApiError if the sign-in is refused, or if it asks for a code or a new password, which only a person has.
 */
export function passwordCredentials(
  url: string,
  { userId, password }: { userId: string; password: string },
): () => Credentials {
  const anonymous = createClient({ url })
  let token: string | null = null
  let renewal: Promise<string> | null = null
  const signIn = async () => {
    const step = await anonymous.call('signIn', { body: { userId, password } })
    if (!('accessToken' in step)) {
      throw new ApiError(
        `The sign-in of ${userId} asks for another step (${step.challenge}). Use an account that signs in with its password alone.`,
        { status: 401, code: 'challenge' },
      )
    }
    token = step.accessToken
    return token
  }
  const credentials: Credentials = {
    token: () => token,
    renew: () => {
      renewal ??= signIn().finally(() => {
        renewal = null
      })
      return renewal
    },
    expire: () => {
      token = null
    },
  }
  return () => credentials
}
