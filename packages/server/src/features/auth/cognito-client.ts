import { createHmac } from 'node:crypto'
import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider'
import type { IdentityConfig } from '../../config.ts'

export type CognitoConfig = Extract<IdentityConfig, { provider: 'cognito' }>
export type CognitoClient = Pick<CognitoIdentityProviderClient, 'send'>

/**
 * Asks once and waits 4 s, because whoever signs in is answered within 4.5 s, and a repeat of what only seems to have
 * failed sends a second text message. None of the calls is signed: an app client is all that this server is.
 */
export function cognitoClient({ region, endpoint }: CognitoConfig, timeoutMs = 4000): CognitoClient {
  return new CognitoIdentityProviderClient({
    region,
    ...(endpoint !== null && { endpoint }),
    maxAttempts: 1,
    requestHandler: { connectionTimeout: timeoutMs / 2, requestTimeout: timeoutMs, throwOnRequestTimeout: true },
  })
}

/** Who issues the tokens of the pool; its keys lie below. In China Amazon's hosts have another ending. */
export function cognitoIssuer({ region, userPoolId, endpoint }: CognitoConfig): string {
  const host = `https://cognito-idp.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`
  return `${(endpoint ?? host).replace(/\/+$/, '')}/${userPoolId}`
}

/** What an app client with a secret has to send along with each user name. */
export function secretHash({ clientId, clientSecret }: CognitoConfig, username: string): { SECRET_HASH?: string } {
  if (clientSecret === null) return {}
  return { SECRET_HASH: createHmac('sha256', clientSecret).update(`${username}${clientId}`).digest('base64') }
}
