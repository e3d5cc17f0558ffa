import { jwtVerify, SignJWT } from 'jose'
import type { FeatureContext } from '../context.ts'
import { signingKeysOf } from './signing-keys.ts'

type Issuing = Pick<FeatureContext, 'db' | 'clock' | 'config'>

const ISSUER = 'urn:benchwatch:server'
/** Tokens for other purposes carry another audience and are refused here. */
const AUDIENCE = 'urn:benchwatch:api'
/** RFC 9068: tells an access token from every other JWT that the same key may sign. */
const TYPE = 'at+jwt'
const ALGORITHM = 'EdDSA'

/** What an access token says: which user, in which session. Rights are looked up, never read from a token. */
export interface TokenSubject {
  userId: number
  sessionId: string
}

/** A signed access token, good for ACCESS_TOKEN_MINUTES. */
export async function signAccessToken(
  { db, clock, config }: Issuing,
  { userId, sessionId }: TokenSubject,
): Promise<string> {
  const { kid, key } = await signingKeysOf(db).signingKey()
  const issuedAt = Math.floor(clock.now().getTime() / 1000)
  return new SignJWT({ sid: sessionId })
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setSubject(String(userId))
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + config.accessTokenSeconds)
    .sign(key)
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * The subject of an access token; undefined for anything else: forged, expired, unsigned, another algorithm, key, type
 * or audience. A failing database is thrown, not taken for a bad token.
 */
export async function verifyAccessToken(
  { db, clock }: Pick<Issuing, 'db' | 'clock'>,
  token: string,
): Promise<TokenSubject | undefined> {
  const keys = signingKeysOf(db)
  let failure: { error: unknown } | undefined
  try {
    const { payload } = await jwtVerify(
      token,
      async ({ kid }) => {
        const key = await keys.verificationKey(kid ?? '').catch((error: unknown) => {
          failure = { error }
          throw error
        })
        if (!key) throw new Error('unknown key')
        return key
      },
      {
        algorithms: [ALGORITHM],
        issuer: ISSUER,
        audience: AUDIENCE,
        typ: TYPE,
        requiredClaims: ['sub', 'sid', 'iat', 'exp'],
        currentDate: clock.now(),
      },
    )
    const { sub, sid } = payload
    if (typeof sub !== 'string' || !/^\d{1,9}$/.test(sub) || typeof sid !== 'string' || !uuid.test(sid))
      return undefined
    return { userId: Number(sub), sessionId: sid }
  } catch {
    if (failure) throw failure.error
    return undefined
  }
}
