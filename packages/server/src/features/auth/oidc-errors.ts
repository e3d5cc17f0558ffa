import { AuthorizationResponseError, ResponseBodyError, WWWAuthenticateChallengeError } from 'openid-client'
import { type ProblemError, problem } from '../../platform/http/problem.ts'

/** What the provider's own screen answers when somebody didn't or may not sign in. */
const refusals = new Set(['access_denied', 'login_required', 'interaction_required', 'consent_required'])

/** The provider takes a code or a refresh token no longer: used, revoked, too old, or of an account that is closed. */
export function isInvalidGrant(error: unknown): boolean {
  return error instanceof ResponseBodyError && error.error === 'invalid_grant'
}

/** The problem to throw for whatever failed at the provider. Logged is no more than codes: bodies may hold tokens. */
export function oidcProblem(error: unknown): ProblemError {
  if (isInvalidGrant(error)) return problem('session-expired', 'This way to sign in has expired. Begin again.')
  if (error instanceof AuthorizationResponseError && refusals.has(error.error)) {
    return problem('bad-credentials', 'The identity provider did not let you in.')
  }
  return problem('unavailable', 'The identity provider does not answer as it should. Try again shortly.', {
    cause: new Error(`The OpenID provider failed: ${described(error)}`),
  })
}

function described(error: unknown): string {
  if (!(error instanceof Error)) return 'an error without a name'
  const { code, status, error: oauth } = error as Error & { code?: string; status?: number; error?: string }
  const challenges =
    error instanceof WWWAuthenticateChallengeError ? error.cause.map(({ parameters }) => parameters.error) : []
  // What the network says: a refused connection, a name that nobody knows.
  const network = error.cause instanceof Error ? error.cause.message : undefined
  return [code, status, oauth, ...challenges, error.message, network].filter((word) => word !== undefined).join(' ')
}
