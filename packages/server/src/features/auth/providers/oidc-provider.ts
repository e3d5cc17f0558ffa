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
  enableNonRepudiationChecks,
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
import type { IdentityProvider } from './identity-provider.ts'

export type OidcConfig = Extract<IdentityConfig, { provider: 'oidc' }>

/** For each request. Whoever signs in has to wait for two or three of them, and is answered within 4.5 s in any case. */
const TIMEOUT_SECONDS = 3

const SKEW_SECONDS = 60

/** What the provider's own screen answers when somebody didn't or may not sign in. */
const refusals = new Set(['access_denied', 'login_required', 'interaction_required', 'consent_required'])

/** What the way back is held against; kept sealed while the browser is away. */
interface Way {
  state: string
  nonce: string
  codeVerifier: string
  redirectUri: string
}

/** What a session keeps, sealed, to ask the provider again. */
interface Handle {
  refreshToken: string
  subject: string
  login: string
}

/** The claims that say whose account it is. */
type Claims = Readonly<Record<string, unknown>>

/**
 * Identities of an OpenID provider with a screen of its own: authorisation code with PKCE (S256), state and nonce. Who
 * somebody is goes by the e-mail address that the provider verified; how one is set up: docs/identity-providers.md.
 */
export function oidcProvider(config: OidcConfig): IdentityProvider {
  const client = oidcClient(config)

  /** The address, lower case; undefined when the provider doesn't stand for it. */
  function verifiedLogin(claims: Claims): string | undefined {
    const { email, email_verified: verified } = claims
    if (typeof email !== 'string' || email === '') return undefined
    const isVerified = verified === true || (verified === undefined && config.trustEmail)
    return isVerified ? email.toLowerCase() : undefined
  }

  return {
    kind: 'oidc',
    redirect: {
      async start(redirectUri) {
        const openid = await asking(client())
        const way: Way = {
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
        })
        return { url: url.href, state: way.state, secret: JSON.stringify(way) }
      },
      async finish(url, secret) {
        const { state, nonce, codeVerifier, redirectUri } = JSON.parse(secret) as Way
        if (url.searchParams.get('state') !== state) {
          throw problem('session-expired', 'This way to sign in has expired. Begin again.')
        }
        // The address as the provider knows it: a proxy may have changed host and scheme.
        const back = new URL(redirectUri)
        back.search = url.search
        const openid = await asking(client())
        const tokens = await asking(
          authorizationCodeGrant(openid, back, {
            expectedState: state,
            expectedNonce: nonce,
            pkceCodeVerifier: codeVerifier,
            idTokenExpected: true,
          }),
        )
        const claims = tokens.claims()
        if (!claims) throw oidcProblem(new Error('no ID token'))
        // Many providers keep the address out of the ID token of this flow: OpenID Connect Core 5.4.
        const told: Claims =
          claims['email'] === undefined && openid.serverMetadata().userinfo_endpoint !== undefined
            ? await asking(fetchUserInfo(openid, tokens.access_token, claims.sub))
            : claims
        const login = verifiedLogin(told)
        if (login === undefined) {
          throw problem(
            'bad-credentials',
            'The identity provider has not verified your e-mail address. Ask its administrator.',
          )
        }
        if (tokens.refresh_token === undefined) return { login }
        const handle: Handle = { refreshToken: tokens.refresh_token, subject: claims.sub, login }
        return { login, handle: JSON.stringify(handle) }
      },
    },
    async recheck(handle) {
      const before = JSON.parse(handle) as Handle
      const openid = await asking(client())
      try {
        const tokens = await refreshTokenGrant(openid, before.refreshToken)
        const claims = tokens.claims()
        // Only what is told now can differ from what was told then.
        if (claims && claims.sub !== before.subject) return { kind: 'ended' }
        if (claims?.['email'] !== undefined && verifiedLogin(claims) !== before.login) return { kind: 'ended' }
        const after: Handle = { ...before, refreshToken: tokens.refresh_token ?? before.refreshToken }
        return { kind: 'good', handle: JSON.stringify(after) }
      } catch (error) {
        if (isInvalidGrant(error)) return { kind: 'ended' }
        throw oidcProblem(error)
      }
    },
    async signOut(handle) {
      const { refreshToken } = JSON.parse(handle) as Handle
      const openid = await asking(client())
      if (openid.serverMetadata().revocation_endpoint === undefined) return
      await asking(tokenRevocation(openid, refreshToken, { token_type_hint: 'refresh_token' }))
    },
    // There is no form of ours: passwords, codes and second factors are the provider's.
    signIn: noForm,
    answer: noForm,
    resend: noForm,
    forgotPassword: noForm,
    confirmForgotPassword: noForm,
  }
}

/**
 * A refresh token is what the provider is asked with again. Where it names that scope one has to ask for it, and
 * elsewhere asking may be an error.
 */
function scopeOf(openid: Configuration): string {
  const offline = openid.serverMetadata().scopes_supported?.includes('offline_access')
  return offline ? 'openid email offline_access' : 'openid email'
}

async function noForm(): Promise<never> {
  throw problem('bad-credentials', 'Sign in at the identity provider.')
}

async function asking<T>(request: Promise<T>): Promise<T> {
  try {
    return await request
  } catch (error) {
    throw oidcProblem(error)
  }
}

/** The provider takes a code or a refresh token no longer: used, revoked, too old, or of an account that is closed. */
function isInvalidGrant(error: unknown): boolean {
  return error instanceof ResponseBodyError && error.error === 'invalid_grant'
}

/** The problem to throw for whatever failed at the provider. Logged is no more than codes: bodies may hold tokens. */
function oidcProblem(error: unknown): ProblemError {
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

/**
 * What the provider says of itself, read at first use and kept. A provider that is down when this server starts is
 * asked again by the next one who wants to sign in.
 */
function oidcClient(config: OidcConfig): () => Promise<Configuration> {
  let known: Promise<Configuration> | undefined
  return () => {
    known ??= discover(config).catch((error: unknown) => {
      known = undefined
      throw error
    })
    return known
  }
}

async function discover({ issuer, clientId, clientSecret }: OidcConfig): Promise<Configuration> {
  const url = new URL(issuer)
  return discovery(url, clientId, { [clockTolerance]: SKEW_SECONDS }, clientAuthentication(clientSecret), {
    timeout: TIMEOUT_SECONDS,
    // Signatures are checked although TLS has proven who sent the token: the one is no substitute for the other.
    // The configuration takes http for this machine alone.
    execute: [enableNonRepudiationChecks, ...(url.protocol === 'http:' ? [allowInsecureRequests] : [])],
  })
}

/** A provider that names no method takes the secret as HTTP Basic: OpenID Connect Discovery 3. */
function clientAuthentication(secret: string | null): ClientAuth {
  if (secret === null) return None()
  return (...request) => {
    const [{ token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] }] = request
    const method = methods.includes('client_secret_basic') ? ClientSecretBasic(secret) : ClientSecretPost(secret)
    method(...request)
  }
}
