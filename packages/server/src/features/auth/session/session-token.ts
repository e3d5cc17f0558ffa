import type { FastifyRequest } from 'fastify'
import { jwtVerify, SignJWT } from 'jose'
import type { FeatureContext } from '../../context.ts'
import { signingKeysOf } from './signing-keys.ts'

/** Signed tokens (JWT) of a session for one purpose each: they carry its audience and type, so none is good for another. */

type Doors = Pick<FeatureContext, 'db' | 'clock'>

const ISSUER = 'urn:benchwatch:server'
const ALGORITHM = 'EdDSA'

/** What tokens are for. */
export interface TokenPurpose {
  /** `urn:benchwatch:…` */
  audience: string
  /** The header's `typ`: what RFC 9068 gives access tokens, and as much for every other kind. */
  type: string
}

/** What a token says: which user, in which session. Rights are looked up, never read from a token. */
export interface TokenSubject {
  userId: number
  sessionId: string
}

/** A token that is good for so many seconds from now. */
export async function signSessionToken(
  { db, clock }: Doors,
  { userId, sessionId }: TokenSubject,
  { audience, type, seconds }: TokenPurpose & { seconds: number },
): Promise<string> {
  const { kid, key } = await signingKeysOf(db).signingKey()
  const issuedAt = Math.floor(clock.now().getTime() / 1000)
  return new SignJWT({ sid: sessionId })
    .setProtectedHeader({ alg: ALGORITHM, typ: type, kid })
    .setIssuer(ISSUER)
    .setAudience(audience)
    .setSubject(String(userId))
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + seconds)
    .sign(key)
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Whose token this is; undefined for anything but a good one: forged, expired, unsigned, another algorithm, key, type or
 * audience. A failing database is thrown, not taken for a bad token.
 */
export async function verifySessionToken(
  { db, clock }: Doors,
  token: string,
  { audience, type }: TokenPurpose,
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
        audience,
        typ: type,
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

/** The bearer token or key of a request; undefined when there is none that could be one. */
export function bearerOf(request: FastifyRequest): string | undefined {
  return /^Bearer ([A-Za-z0-9._~+/=-]{1,4096})$/i.exec(request.headers.authorization ?? '')?.[1]
}
