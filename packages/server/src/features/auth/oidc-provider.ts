import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  refreshTokenGrant,
  tokenRevocation,
} from 'openid-client'
import { problem } from '../../platform/http/problem.ts'
import type { IdentityProvider } from './identity-provider.ts'
import { type OidcConfig, oidcClient } from './oidc-client.ts'
import { isInvalidGrant, oidcProblem } from './oidc-errors.ts'

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
