import type { FastifyRequest } from 'fastify'
import { type CryptoKey, jwtVerify, SignJWT } from 'jose'
import type { FeatureContext } from '../../context.ts'
import { signingKeysOf } from './signing-keys.ts'

/**
 * Signed tokens (JWT) of a session. Each has one purpose, set by its audience and type, so that none is valid for
 * another.
 */

type Needs = Pick<FeatureContext, 'db' | 'clock'>

const ISSUER = 'urn:benchwatch:server'
const ALGORITHM = 'EdDSA'

/** The purpose of a token. */
export interface TokenPurpose {
  /** `urn:benchwatch:…` */
  audience: string
  /** The `typ` header: the RFC 9068 value for access tokens, a similar value for the others. */
  type: string
}

/** The user and session that a token names. Rights are looked up, never read from a token. */
export interface TokenSubject {
  userId: number
  sessionId: string
}

/** Signs a token with a lifetime in seconds. */
export async function signSessionToken(
  { db, clock }: Needs,
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

/** A token whose signature was checked with this key, for one purpose. */
interface Verified {
  kid: string
  key: CryptoKey
  expiresAt: number
  subject: TokenSubject
}

/** Limit of remembered tokens; when it is reached, all are forgotten. */
const MOST_VERIFIED = 2000
/** Checking a signature takes a tenth of the time of a short request, and a client sends the same token each time. */
const verified = new Map<string, Verified>()

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Returns the subject of a token, or undefined if it is forged, expired or unsigned, or has another algorithm, key,
 * type or audience. Database failures are thrown, not treated as a bad token.
 */
export async function verifySessionToken(
  { db, clock }: Needs,
  token: string,
  { audience, type }: TokenPurpose,
): Promise<TokenSubject | undefined> {
  const keys = signingKeysOf(db)
  const purpose = `${audience} ${type} ${token}`
  const known = verified.get(purpose)
  if (known && known.expiresAt > clock.now().getTime() && (await keys.verificationKey(known.kid)) === known.key) {
    return known.subject
  }
  let failure: { error: unknown } | undefined
  try {
    const { payload, protectedHeader, key } = await jwtVerify(
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
    const { sub, sid, exp = 0 } = payload
    if (typeof sub !== 'string' || !/^\d{1,9}$/.test(sub) || typeof sid !== 'string' || !uuid.test(sid))
      return undefined
    const subject = { userId: Number(sub), sessionId: sid }
    if (verified.size === MOST_VERIFIED) verified.clear()
    verified.set(purpose, { kid: protectedHeader.kid ?? '', key, expiresAt: exp * 1000, subject })
    return subject
  } catch {
    if (failure) throw failure.error
    return undefined
  }
}

/** RFC 9068: `at+jwt` separates access tokens from all other JWTs that the same key may sign. */
const ACCESS: TokenPurpose = { audience: 'urn:benchwatch:api', type: 'at+jwt' }

/** Returns a signed access token that is valid for ACCESS_TOKEN_MINUTES. */
export function signAccessToken(
  { db, clock, config }: Pick<FeatureContext, 'db' | 'clock' | 'config'>,
  subject: TokenSubject,
): Promise<string> {
  return signSessionToken({ db, clock }, subject, { ...ACCESS, seconds: config.accessTokenSeconds })
}

/** Returns the subject of an access token, or undefined as in `verifySessionToken`. */
export function verifyAccessToken(
  needs: Pick<FeatureContext, 'db' | 'clock'>,
  token: string,
): Promise<TokenSubject | undefined> {
  return verifySessionToken(needs, token, ACCESS)
}

/** Returns the bearer token or key of a request, or undefined if there is none of a plausible form. */
export function bearerOf(request: FastifyRequest): string | undefined {
  return /^Bearer ([A-Za-z0-9._~+/=-]{1,4096})$/i.exec(request.headers.authorization ?? '')?.[1]
}
