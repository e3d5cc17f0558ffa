import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  clockTolerance,
  discovery,
  enableNonRepudiationChecks,
  None,
} from 'openid-client'
import type { IdentityConfig } from '../../config.ts'

export type OidcConfig = Extract<IdentityConfig, { provider: 'oidc' }>

/** For each request. Whoever signs in has to wait for two or three of them, and is answered within 4.5 s in any case. */
const TIMEOUT_SECONDS = 3
const SKEW_SECONDS = 60

/**
 * What the provider says of itself, read at first use and kept. A provider that is down when this server starts is
 * asked again by the next one who wants to sign in.
 */
export function oidcClient(config: OidcConfig): () => Promise<Configuration> {
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
