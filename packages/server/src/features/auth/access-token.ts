import type { FeatureContext } from '../context.ts'
import { signSessionToken, type TokenPurpose, type TokenSubject, verifySessionToken } from './session-token.ts'

/** RFC 9068: `at+jwt` tells an access token from every other JWT that the same key may sign. */
const ACCESS: TokenPurpose = { audience: 'urn:benchwatch:api', type: 'at+jwt' }

/** A signed access token, good for ACCESS_TOKEN_MINUTES. */
export function signAccessToken(
  { db, clock, config }: Pick<FeatureContext, 'db' | 'clock' | 'config'>,
  subject: TokenSubject,
): Promise<string> {
  return signSessionToken({ db, clock }, subject, { ...ACCESS, seconds: config.accessTokenSeconds })
}

/** The subject of an access token; undefined for anything else, as `verifySessionToken` says. */
export function verifyAccessToken(
  doors: Pick<FeatureContext, 'db' | 'clock'>,
  token: string,
): Promise<TokenSubject | undefined> {
  return verifySessionToken(doors, token, ACCESS)
}
