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

/** Per request. A sign-in waits for two or three of them and must finish within 4.5 s. */
const TIMEOUT_SECONDS = 3

const SKEW_SECONDS = 60

/** Errors that the provider's screen returns if the user did not sign in or may not. */
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

/**
 * Authenticates users of an OpenID provider with its own screen: authorisation code with PKCE (S256), state and nonce.
 * Users are identified by the e-mail address that the provider verified. Setup: docs/identity-providers.md.
 */
export function oidcProvider(config: OidcConfig): IdentityProvider {
  const client = oidcClient(config)

  /** Returns the address in lower case, or undefined if the provider has not verified it. */
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
        const openid = await callProvider(client())
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
        })
        return { url: url.href, state: way.state, secret: JSON.stringify(way) }
      },
      async finish(url, secret) {
        const { state, nonce, codeVerifier, redirectUri } = JSON.parse(secret) as PendingState
        if (url.searchParams.get('state') !== state) {
          throw problem('session-expired', 'This sign-in has expired. Start again.')
        }
        // Uses the address registered with the provider: a proxy may have changed host and scheme.
        const back = new URL(redirectUri)
        back.search = url.search
        const openid = await callProvider(client())
        const tokens = await callProvider(
          authorizationCodeGrant(openid, back, {
            expectedState: state,
            expectedNonce: nonce,
            pkceCodeVerifier: codeVerifier,
            idTokenExpected: true,
          }),
        )
        const claims = tokens.claims()
        if (!claims) throw oidcProblem(new Error('no ID token'))
        // Many providers leave the address out of the ID token of this flow: OpenID Connect Core 5.4.
        const emailClaims: Claims =
          claims['email'] === undefined && openid.serverMetadata().userinfo_endpoint !== undefined
            ? await callProvider(fetchUserInfo(openid, tokens.access_token, claims.sub))
            : claims
        const login = verifiedLogin(emailClaims)
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
      const openid = await callProvider(client())
      try {
        const tokens = await refreshTokenGrant(openid, before.refreshToken)
        const claims = tokens.claims()
        // Only a claim of the current response can differ from the earlier one.
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
      const openid = await callProvider(client())
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

async function noForm(): Promise<never> {
  throw problem('bad-credentials', 'Sign in at the identity provider.')
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

/** Returns the problem to throw after a failure at the provider. Logs only codes: bodies may contain tokens. */
function oidcProblem(error: unknown): ProblemError {
  if (isInvalidGrant(error)) return problem('session-expired', 'This sign-in has expired. Start again.')
  if (error instanceof AuthorizationResponseError && refusals.has(error.error)) {
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
    // Signatures are checked although TLS has proven the sender: one does not replace the other. The configuration
    // allows http for this machine only.
    execute: [enableNonRepudiationChecks, ...(url.protocol === 'http:' ? [allowInsecureRequests] : [])],
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
