import { setTimeout as pause } from 'node:timers/promises'
import { compactVerify, createRemoteJWKSet } from 'jose'
import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  clockTolerance,
  discovery,
  fetchUserInfo,
  None,
  ResponseBodyError,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  refreshTokenGrant,
  tokenRevocation,
  WWWAuthenticateChallengeError,
} from 'openid-client'
import type { IdentityConfig } from '../../../config.ts'
import { type ProblemError, problem } from '../../../platform/http/problem.ts'
import type { Identity, IdentityProvider } from './identity-provider.ts'

export type OidcConfig = Extract<IdentityConfig, { provider: 'oidc' }>

/** Per request. */
const TIMEOUT_SECONDS = 3
/** For all requests of a browser's return, which is answered within 4.5 s. */
const EXCHANGE_MS = 4000
/** For keys and userinfo in a session check, which come after the request for new tokens. */
const CLAIMS_MS = 1000

const SKEW_SECONDS = 60

/** Errors of a provider whose user did not sign in, may not, or must sign in again. */
const refusals = new Set(['access_denied', 'login_required', 'interaction_required', 'consent_required'])

/** The expected values for the browser's return; stored sealed while the browser is away. */
interface PendingState {
  state: string
  nonce: string
  codeVerifier: string
  redirectUri: string
}

/** Sealed with the session and used to ask the provider again. */
interface Handle {
  refreshToken: string
  subject: string
  login: string
}

/** The claims that identify the account. */
type Claims = Readonly<Record<string, unknown>>
type Tokens = Awaited<ReturnType<typeof refreshTokenGrant>>

/**
 * Authenticates users of an OpenID provider with its own screen: authorisation code with PKCE (S256), state and nonce.
 * Users are identified by the e-mail address that the provider verified. Setup: docs/identity-providers.md.
 */
export function oidcProvider(config: OidcConfig, { exchangeMs = EXCHANGE_MS } = {}): IdentityProvider {
  const client = oidcClient(config)

  /** Returns the address in lower case, or undefined if the provider has not verified it. */
  function verifiedLogin(claims: Claims): string | undefined {
    const { email, email_verified: verified } = claims
    if (typeof email !== 'string' || email === '') return undefined
    const isVerified = verified === true || (verified === undefined && config.trustEmail)
    return isVerified ? email.toLowerCase() : undefined
  }

  async function identityOf(url: URL, secret: string): Promise<Identity> {
    const { state, nonce, codeVerifier, redirectUri } = JSON.parse(secret) as PendingState
    if (url.searchParams.get('state') !== state) {
      throw problem('session-expired', 'This sign-in has expired. Start again.')
    }
    // Uses the address registered with the provider: a proxy may have changed host and scheme.
    const back = new URL(redirectUri)
    back.search = url.search
    const openid = await callProvider(client.get())
    const tokens = await callProvider(
      authorizationCodeGrant(openid, back, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: codeVerifier,
        idTokenExpected: true,
      }),
    )
    const claims = await callProvider(client.claims(openid, tokens))
    if (!claims) throw oidcProblem(new Error('no ID token'))
    const login = verifiedLogin(await callProvider(emailClaims(openid, { tokens, claims, subject: claims.sub })))
    if (login === undefined) {
      throw problem(
        'bad-credentials',
        'The identity provider has not verified your e-mail address. Ask its administrator.',
      )
    }
    if (tokens.refresh_token === undefined) return { login }
    const handle: Handle = { refreshToken: tokens.refresh_token, subject: claims.sub, login }
    return { login, handle: JSON.stringify(handle) }
  }

  async function currentClaims(openid: Configuration, tokens: Tokens, subject: string): Promise<Claims> {
    const claims = await client.claims(openid, tokens)
    return claims && claims.sub !== subject ? claims : emailClaims(openid, { tokens, claims, subject })
  }

  return {
    kind: 'oidc',
    redirect: {
      async start(redirectUri, options) {
        const openid = await callProvider(client.get())
        const way: PendingState = {
          state: randomState(),
          nonce: randomNonce(),
          codeVerifier: randomPKCECodeVerifier(),
          redirectUri,
        }
        const url = buildAuthorizationUrl(openid, {
          redirect_uri: redirectUri,
          scope: scopeOf(openid),
          state: way.state,
          nonce: way.nonce,
          code_challenge: await calculatePKCECodeChallenge(way.codeVerifier),
          code_challenge_method: 'S256',
          ...(options?.selectsAccount && { prompt: 'select_account' }),
        })
        return { url: url.href, state: way.state, secret: JSON.stringify(way) }
      },
      finish: (url, secret) => inTime(identityOf(url, secret), exchangeMs),
    },
    async recheck(handle) {
      const before = JSON.parse(handle) as Handle
      const openid = await callProvider(client.get())
      try {
        const tokens = await refreshTokenGrant(openid, before.refreshToken)
        // Without keys or userinfo, the account is compared next time: the new refresh token must not be lost.
        const current = await inTime(currentClaims(openid, tokens, before.subject), CLAIMS_MS).catch(() => ({}))
        if (isOtherAccount(current, before)) return { kind: 'ended' }
        const after: Handle = { ...before, refreshToken: tokens.refresh_token ?? before.refreshToken }
        return { kind: 'good', handle: JSON.stringify(after) }
      } catch (error) {
        if (isInvalidGrant(error) || isRefusal(error)) return { kind: 'ended' }
        throw oidcProblem(error)
      }
    },
    async signOut(handle) {
      const { refreshToken } = JSON.parse(handle) as Handle
      const openid = await callProvider(client.get())
      if (openid.serverMetadata().revocation_endpoint === undefined) return
      await callProvider(tokenRevocation(openid, refreshToken, { token_type_hint: 'refresh_token' }))
    },
    // There is no form on this server: passwords, codes and second factors belong to the provider.
    signIn: noForm,
    answer: noForm,
    resend: noForm,
    forgotPassword: noForm,
    confirmForgotPassword: noForm,
  }
}

/**
 * Requests a refresh token, which is needed to ask the provider again. Some providers require the scope
 * offline_access, others may treat it as an error, so it is sent only if the provider lists it.
 */
function scopeOf(openid: Configuration): string {
  const offline = openid.serverMetadata().scopes_supported?.includes('offline_access')
  return offline ? 'openid email offline_access' : 'openid email'
}

/**
 * Returns the claims about the address: those of the ID token or, since many providers leave the address out of it in
 * this flow (OpenID Connect Core 5.4), those of userinfo.
 */
async function emailClaims(
  openid: Configuration,
  { tokens, claims = {}, subject }: { tokens: { access_token: string }; claims: Claims | undefined; subject: string },
): Promise<Claims> {
  const isElsewhere = claims['email'] === undefined && openid.serverMetadata().userinfo_endpoint !== undefined
  return isElsewhere ? fetchUserInfo(openid, tokens.access_token, subject) : claims
}

/** Claims that are absent say nothing. */
function isOtherAccount({ sub = '', email, email_verified: verified }: Claims, { subject, login }: Handle): boolean {
  return (
    (sub !== '' && sub !== subject) ||
    verified === false ||
    (typeof email === 'string' && email.toLowerCase() !== login)
  )
}

async function noForm(): Promise<never> {
  throw problem('bad-credentials', 'Sign in at the identity provider.')
}

async function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  const stop = new AbortController()
  const silence = pause(ms, undefined, { signal: stop.signal }).then(() => {
    throw oidcProblem(new Error(`no answer within ${ms} ms`))
  })
  try {
    return await Promise.race([work, silence])
  } finally {
    stop.abort()
  }
}

async function callProvider<T>(request: Promise<T>): Promise<T> {
  try {
    return await request
  } catch (error) {
    throw oidcProblem(error)
  }
}

/** True if a code or refresh token is no longer accepted: used, revoked, expired, or its account closed. */
function isInvalidGrant(error: unknown): boolean {
  return error instanceof ResponseBodyError && error.error === 'invalid_grant'
}

/** True if the provider wants to see the user. Entra ID says so to a refresh token, too. */
function isRefusal(error: unknown): boolean {
  const isResponse = error instanceof AuthorizationResponseError || error instanceof ResponseBodyError
  return isResponse && refusals.has(error.error)
}

/** Returns the problem to throw after a failure at the provider. Logs only codes: bodies may contain tokens. */
function oidcProblem(error: unknown): ProblemError {
  if (isInvalidGrant(error)) return problem('session-expired', 'This sign-in has expired. Start again.')
  if (isRefusal(error)) {
    return problem('bad-credentials', 'The identity provider refused the sign-in.')
  }
  return problem('unavailable', 'The identity provider is not responding correctly. Try again in a moment.', {
    cause: new Error(`The OpenID provider failed: ${described(error)}`),
  })
}

function described(error: unknown): string {
  if (!(error instanceof Error)) return 'an error without a name'
  const { code, status, error: oauth } = error as Error & { code?: string; status?: number; error?: string }
  const challenges =
    error instanceof WWWAuthenticateChallengeError ? error.cause.map(({ parameters }) => parameters.error) : []
  // The network error, such as a refused connection or an unknown host name.
  const network = error.cause instanceof Error ? error.cause.message : undefined
  return [code, status, oauth, ...challenges, error.message, network].filter((word) => word !== undefined).join(' ')
}

/**
 * Reads the provider's metadata at first use and caches it. If the provider was unreachable, the next sign-in tries
 * again.
 */
function oidcClient(config: OidcConfig) {
  let known: Promise<Configuration> | undefined
  let keys: ReturnType<typeof createRemoteJWKSet> | undefined
  return {
    get(): Promise<Configuration> {
      known ??= discover(config).catch((error: unknown) => {
        known = undefined
        throw error
      })
      return known
    },
    /**
     * Returns the claims of the ID token, if there is one. Its signature is checked although TLS has proven the sender:
     * one does not replace the other. Not by the OpenID library, which would refuse a key that it does not know yet
     * within a minute after it fetched the others.
     */
    async claims(openid: Configuration, tokens: Tokens): Promise<ReturnType<Tokens['claims']>> {
      if (tokens.id_token === undefined) return undefined
      keys ??= createRemoteJWKSet(keysUrl(config.issuer, openid.serverMetadata().jwks_uri), {
        cooldownDuration: 0,
        timeoutDuration: TIMEOUT_SECONDS * 1000,
      })
      await compactVerify(tokens.id_token, keys)
      return tokens.claims()
    },
  }
}

/** Returns where the provider's keys are. Throws if there are none, or if keys of a provider on https are on http. */
export function keysUrl(issuer: string, jwksUri: string | undefined): URL {
  if (jwksUri === undefined) throw new Error('it names no keys')
  const url = new URL(jwksUri)
  if (url.protocol !== 'https:' && !issuer.startsWith('http:')) throw new Error('its keys are not on https')
  return url
}

async function discover({ issuer, clientId, clientSecret }: OidcConfig): Promise<Configuration> {
  const url = new URL(issuer)
  return discovery(url, clientId, { [clockTolerance]: SKEW_SECONDS }, clientAuthentication(clientSecret), {
    timeout: TIMEOUT_SECONDS,
    // The configuration allows http for this machine only.
    execute: url.protocol === 'http:' ? [allowInsecureRequests] : [],
  })
}

/** Providers that name no method take the secret as HTTP Basic: OpenID Connect Discovery 3. */
function clientAuthentication(secret: string | null): ClientAuth {
  if (secret === null) return None()
  return (...request) => {
    const [{ token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] }] = request
    const method = methods.includes('client_secret_basic') ? ClientSecretBasic(secret) : ClientSecretPost(secret)
    method(...request)
  }
}
