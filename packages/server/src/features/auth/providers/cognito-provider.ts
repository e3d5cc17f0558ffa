import { createHmac } from 'node:crypto'
import {
  type AuthenticationResultType,
  CognitoIdentityProviderClient,
  ConfirmForgotPasswordCommand,
  ForgotPasswordCommand,
  GetTokensFromRefreshTokenCommand,
  InitiateAuthCommand,
  type InitiateAuthCommandOutput,
  RespondToAuthChallengeCommand,
  RevokeTokenCommand,
} from '@aws-sdk/client-cognito-identity-provider'
import { createRemoteJWKSet, errors, jwtVerify } from 'jose'
import type { IdentityConfig } from '../../../config.ts'
import type { Clock } from '../../../platform/clock.ts'
import { problem } from '../../../platform/http/problem.ts'
import { type CognitoStep, cognitoMeaning, cognitoProblem } from './cognito-errors.ts'
import type { ChallengeKind, Identity, IdentityProvider, Step } from './identity-provider.ts'

export type CognitoConfig = Extract<IdentityConfig, { provider: 'cognito' }>

export type CognitoClient = Pick<CognitoIdentityProviderClient, 'send'>

/** What an ID token says about somebody. */
interface CognitoPerson {
  /** The e-mail address, lower case; null unless Cognito has verified it. */
  login: string | null
  /** Cognito's own name for them, which unlike an address never changes. */
  username: string
}

/** Clocks differ by this much at most. */
const SKEW_SECONDS = 60

/** What waits for an answer: kept sealed in `PendingStep.state`. */
interface Waiting {
  session: string
  /** Cognito's own name, which its challenges are answered with. */
  username: string
  /** Without it Cognito sends no other code; only with SMS_MFA. */
  password?: string
}

/** What a session keeps, sealed, to ask Cognito again. */
interface Handle {
  refreshToken: string
  username: string
  login: string
}

/** What was typed, as far as later steps need it. */
interface Typed {
  username: string
  password: string
}

type Answer = Pick<
  InitiateAuthCommandOutput,
  'AuthenticationResult' | 'ChallengeName' | 'ChallengeParameters' | 'Session'
>

/** How Cognito calls a step and the field of its answer. */
const steps: Record<
  ChallengeKind,
  { name: 'NEW_PASSWORD_REQUIRED' | 'SMS_MFA' | 'SOFTWARE_TOKEN_MFA'; field: string }
> = {
  NEW_PASSWORD_REQUIRED: { name: 'NEW_PASSWORD_REQUIRED', field: 'NEW_PASSWORD' },
  SMS_MFA: { name: 'SMS_MFA', field: 'SMS_MFA_CODE' },
  TOTP_MFA: { name: 'SOFTWARE_TOKEN_MFA', field: 'SOFTWARE_TOKEN_MFA_CODE' },
}

/**
 * Identities of an Amazon Cognito user pool: who somebody is, by e-mail address, and nothing else. Why it works as it
 * does: decision 0016; how a pool is set up: docs/identity-providers.md.
 */
export function cognitoProvider(
  config: CognitoConfig,
  { clock, client = cognitoClient(config) }: { clock: Clock; client?: CognitoClient },
): IdentityProvider {
  const personOf = cognitoTokens(config, clock)
  const { clientId: ClientId } = config
  /** Found out at the first refresh: a pool with refresh rotation refuses REFRESH_TOKEN_AUTH. */
  let rotates = false

  const askForPassword = ({ username, password }: Typed) =>
    client.send(
      new InitiateAuthCommand({
        ClientId,
        AuthFlow: 'USER_PASSWORD_AUTH',
        AuthParameters: { USERNAME: username, PASSWORD: password, ...secretHash(config, username) },
      }),
    )

  const respond = (name: 'SELECT_MFA_TYPE' | (typeof steps)[ChallengeKind]['name'], waiting: Waiting, answer: object) =>
    client.send(
      new RespondToAuthChallengeCommand({
        ClientId,
        ChallengeName: name,
        Session: waiting.session,
        ChallengeResponses: { USERNAME: waiting.username, ...answer, ...secretHash(config, waiting.username) },
      }),
    )

  async function follow(answer: Answer, typed: Typed, login: string): Promise<Step> {
    if (answer.AuthenticationResult) {
      return { kind: 'identity', identity: await identityOf(answer.AuthenticationResult) }
    }
    const parameters = answer.ChallengeParameters ?? {}
    const waiting = { session: answer.Session ?? '', username: parameters['USER_ID_FOR_SRP'] ?? typed.username }
    const challenge = (kind: ChallengeKind, state: Waiting): Step => {
      const delivery = parameters['CODE_DELIVERY_DESTINATION']
      const pending = { kind, login, state: JSON.stringify(state) }
      return { kind: 'challenge', pending, ...(delivery !== undefined && { delivery }) }
    }
    switch (answer.ChallengeName) {
      case 'NEW_PASSWORD_REQUIRED':
        return challenge('NEW_PASSWORD_REQUIRED', waiting)
      case 'SMS_MFA':
        return challenge('SMS_MFA', { ...waiting, password: typed.password })
      case 'SOFTWARE_TOKEN_MFA':
        return challenge('TOTP_MFA', waiting)
      case 'SELECT_MFA_TYPE': {
        // The app is the stronger of the two, and works where no text message arrives.
        const choices = parameters['MFAS_CAN_CHOOSE'] ?? ''
        const ANSWER = choices.includes('SOFTWARE_TOKEN_MFA') ? 'SOFTWARE_TOKEN_MFA' : 'SMS_MFA'
        const next = await asking('sign-in', respond('SELECT_MFA_TYPE', waiting, { ANSWER }))
        return follow(next, typed, login)
      }
      default:
        throw problem('unavailable', 'Your account asks for a step of signing in that this console does not know.', {
          cause: new Error(`Cognito asks for ${answer.ChallengeName}. See docs/identity-providers.md.`),
        })
    }
  }

  async function identityOf({ IdToken, RefreshToken }: AuthenticationResultType): Promise<Identity> {
    const { login, username } = await personOf(IdToken ?? '')
    if (login === null) {
      // Whoever may change their own address could otherwise name somebody else's account.
      throw problem(
        'bad-credentials',
        'Your e-mail address is not verified at the identity provider. Ask its administrator.',
      )
    }
    if (RefreshToken === undefined) return { login }
    return { login, handle: JSON.stringify({ refreshToken: RefreshToken, username, login } satisfies Handle) }
  }

  async function refresh({ refreshToken, username }: Handle): Promise<AuthenticationResultType> {
    if (!rotates) {
      try {
        const { AuthenticationResult } = await client.send(
          new InitiateAuthCommand({
            ClientId,
            AuthFlow: 'REFRESH_TOKEN_AUTH',
            AuthParameters: { REFRESH_TOKEN: refreshToken, ...secretHash(config, username) },
          }),
        )
        return AuthenticationResult ?? {}
      } catch (error) {
        if (!(error instanceof Error && flowRefused.has(error.name))) throw error
      }
    }
    const { AuthenticationResult } = await client.send(
      new GetTokensFromRefreshTokenCommand({
        ClientId,
        RefreshToken: refreshToken,
        ...(config.clientSecret !== null && { ClientSecret: config.clientSecret }),
      }),
    )
    rotates = true
    return AuthenticationResult ?? {}
  }

  return {
    kind: 'cognito',
    async signIn({ userId, password }) {
      const typed = { username: userId.trim(), password }
      // Cognito calls an empty name or password an error of whoever asks.
      if (typed.username === '' || password === '') throw cognitoProblem('bad-credentials', undefined)
      return follow(await asking('sign-in', askForPassword(typed)), typed, typed.username.toLowerCase())
    },
    async answer({ kind, login, state }, answer) {
      const waiting = JSON.parse(state) as Waiting
      const { name, field } = steps[kind]
      const isPassword = kind === 'NEW_PASSWORD_REQUIRED'
      if (!isPassword && !/^\d{6}$/.test(answer)) throw cognitoProblem('invalid-parameter', undefined)
      const next = await asking(isPassword ? 'new-password' : 'code', respond(name, waiting, { [field]: answer }))
      return follow(next, { username: waiting.username, password: isPassword ? answer : '' }, login)
    },
    async resend({ kind, login, state }) {
      const { username, password = '' } = JSON.parse(state) as Waiting
      const typed = { username, password }
      const next = await follow(await asking('resend', askForPassword(typed)), typed, login)
      // Somebody changed the password or the second factor meanwhile.
      if (next.kind !== 'challenge' || next.pending.kind !== kind) throw cognitoProblem('challenge-expired', undefined)
      const { pending, delivery } = next
      return { pending, ...(delivery !== undefined && { delivery }) }
    },
    async forgotPassword(email) {
      const Username = email.trim()
      try {
        await client.send(new ForgotPasswordCommand({ ClientId, Username, ...secretOf(Username) }))
      } catch (error) {
        const meaning = cognitoMeaning('forgot', error)
        if (meaning !== 'as-if-sent') throw cognitoProblem(meaning, error)
      }
    },
    async confirmForgotPassword({ email, code, newPassword }) {
      const Username = email.trim()
      await asking(
        'confirm',
        client.send(
          new ConfirmForgotPasswordCommand({
            ClientId,
            Username,
            ConfirmationCode: code,
            Password: newPassword,
            ...secretOf(Username),
          }),
        ),
      )
      return { login: Username.toLowerCase() }
    },
    async recheck(handle) {
      const before = JSON.parse(handle) as Handle
      let tokens: AuthenticationResultType
      try {
        tokens = await refresh(before)
      } catch (error) {
        const meaning = cognitoMeaning('recheck', error)
        if (meaning === 'session-expired') return { kind: 'ended' }
        throw cognitoProblem('unavailable', error)
      }
      const person = await personOf(tokens.IdToken ?? '')
      // Whoever has another address now is another account here.
      if (person.login !== before.login || person.username !== before.username) return { kind: 'ended' }
      return {
        kind: 'good',
        handle: JSON.stringify({ ...before, refreshToken: tokens.RefreshToken ?? before.refreshToken }),
      }
    },
    async signOut(handle) {
      const { refreshToken: Token } = JSON.parse(handle) as Handle
      const ClientSecret = config.clientSecret ?? undefined
      await client.send(
        new RevokeTokenCommand({ ClientId, Token, ...(ClientSecret !== undefined && { ClientSecret }) }),
      )
    },
  }

  function secretOf(username: string): { SecretHash?: string } {
    const { SECRET_HASH } = secretHash(config, username)
    return SECRET_HASH === undefined ? {} : { SecretHash: SECRET_HASH }
  }
}

/** Cognito's reference doesn't say which of them stands for refresh rotation; the next call tells anyhow. */
const flowRefused = new Set([
  'UnsupportedOperationException',
  'OperationNotEnabledException',
  'InvalidParameterException',
])

async function asking<T>(step: CognitoStep, request: Promise<T>): Promise<T> {
  try {
    return await request
  } catch (error) {
    const meaning = cognitoMeaning(step, error)
    throw cognitoProblem(meaning === 'as-if-sent' ? 'unavailable' : meaning, error)
  }
}

/**
 * Checks an ID token: signed by the pool with RS256, for this app client, an ID token and no other, not past its end.
 * Throws `unavailable` for what isn't, because only Cognito hands tokens in here, and where its keys can't be read.
 */
function cognitoTokens(config: CognitoConfig, clock: Clock): (idToken: string) => Promise<CognitoPerson> {
  const issuer = cognitoIssuer(config)
  // Kept in memory; read again when a token names another key, at most every 30 s.
  const keys = createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`), { timeoutDuration: 3000 })
  return async (idToken) => {
    try {
      const { payload } = await jwtVerify(idToken, keys, {
        issuer,
        audience: config.clientId,
        algorithms: ['RS256'],
        requiredClaims: ['exp', 'sub'],
        clockTolerance: SKEW_SECONDS,
        currentDate: clock.now(),
      })
      if (payload['token_use'] !== 'id')
        throw new errors.JWTClaimValidationFailed('not an ID token', payload, 'token_use')
      const { email, email_verified: verified, 'cognito:username': username } = payload
      return {
        login: typeof email === 'string' && verified === true ? email.toLowerCase() : null,
        username: typeof username === 'string' ? username : String(payload.sub),
      }
    } catch (error) {
      const said = error instanceof Error ? `${error.name}: ${error.message}` : ''
      throw problem('unavailable', 'The identity provider does not answer as it should. Try again shortly.', {
        cause: new Error(`The ID token of Cognito can't be used, ${said}`),
      })
    }
  }
}

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
function secretHash({ clientId, clientSecret }: CognitoConfig, username: string): { SECRET_HASH?: string } {
  if (clientSecret === null) return {}
  return { SECRET_HASH: createHmac('sha256', clientSecret).update(`${username}${clientId}`).digest('base64') }
}
