import { createRemoteJWKSet, errors, jwtVerify } from 'jose'
import type { Clock } from '../../platform/clock.ts'
import { problem } from '../../platform/http/problem.ts'
import { type CognitoConfig, cognitoIssuer } from './cognito-client.ts'

/** What an ID token says about somebody. */
export interface CognitoPerson {
  /** The e-mail address, lower case; null unless Cognito has verified it. */
  login: string | null
  /** Cognito's own name for them, which unlike an address never changes. */
  username: string
}

/** Clocks differ by this much at most. */
const SKEW_SECONDS = 60

/**
 * Checks an ID token: signed by the pool with RS256, for this app client, an ID token and no other, not past its end.
 * Throws `unavailable` for what isn't, because only Cognito hands tokens in here, and where its keys can't be read.
 */
export function cognitoTokens(config: CognitoConfig, clock: Clock): (idToken: string) => Promise<CognitoPerson> {
  const issuer = cognitoIssuer(config)
  // Kept in memory; read again when a token names another key, at most every 30 s.
  const keys = createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`), { timeoutDuration: 3000 })
  return async (idToken) => {
    try {
      const { payload } = await jwtVerify(idToken, keys, {
        issuer,
        audience: config.clientId,
        algorithms: ['RS256'],
        requiredClaims: ['exp', 'sub'],
        clockTolerance: SKEW_SECONDS,
        currentDate: clock.now(),
      })
      if (payload['token_use'] !== 'id')
        throw new errors.JWTClaimValidationFailed('not an ID token', payload, 'token_use')
      const { email, email_verified: verified, 'cognito:username': username } = payload
      return {
        login: typeof email === 'string' && verified === true ? email.toLowerCase() : null,
        username: typeof username === 'string' ? username : String(payload.sub),
      }
    } catch (error) {
      const said = error instanceof Error ? `${error.name}: ${error.message}` : ''
      throw problem('unavailable', 'The identity provider does not answer as it should. Try again shortly.', {
        cause: new Error(`The ID token of Cognito can't be used, ${said}`),
      })
    }
  }
}
