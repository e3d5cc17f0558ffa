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
import type { ErrorCode } from '@benchwatch/contract/errors'
import { createRemoteJWKSet, errors, jwtVerify } from 'jose'
import type { IdentityConfig } from '../../../config.ts'
import type { Clock } from '../../../platform/clock.ts'
import { type ProblemError, problem } from '../../../platform/http/problem.ts'
import type { ChallengeKind, Identity, IdentityProvider, Step } from './identity-provider.ts'

export type CognitoConfig = Extract<IdentityConfig, { provider: 'cognito' }>

export type CognitoClient = Pick<CognitoIdentityProviderClient, 'send'>

/** The claims used from an ID token. */
interface CognitoPerson {
  /** The e-mail address in lower case; null unless Cognito has verified it. */
  login: string | null
  /** Cognito's own name for the user. Unlike an address it never changes. */
  username: string
}

/** Largest accepted clock difference. */
const SKEW_SECONDS = 60

/** State of an open challenge, kept sealed in `PendingStep.state`. */
interface Waiting {
  session: string
  /** Cognito's own name, used to answer its challenges. */
  username: string
  /** Needed to ask Cognito for another code; only with SMS_MFA. */
  password?: string
}

/** Sealed with the session and used to ask Cognito again. */
interface Handle {
  refreshToken: string
  username: string
  login: string
}

/** The user's input that later steps need. */
interface Typed {
  username: string
  password: string
}

type Answer = Pick<
  InitiateAuthCommandOutput,
  'AuthenticationResult' | 'ChallengeName' | 'ChallengeParameters' | 'Session'
>

/** Cognito's names for a step and for the field of its answer. */
const steps: Record<
  ChallengeKind,
  { name: 'NEW_PASSWORD_REQUIRED' | 'SMS_MFA' | 'SOFTWARE_TOKEN_MFA'; field: string }
> = {
  NEW_PASSWORD_REQUIRED: { name: 'NEW_PASSWORD_REQUIRED', field: 'NEW_PASSWORD' },
  SMS_MFA: { name: 'SMS_MFA', field: 'SMS_MFA_CODE' },
  TOTP_MFA: { name: 'SOFTWARE_TOKEN_MFA', field: 'SOFTWARE_TOKEN_MFA_CODE' },
}

/**
 * Authenticates users of an Amazon Cognito user pool. Cognito supplies the e-mail address and nothing else. Reasons:
 * decision 0016. Setup of a pool: docs/identity-providers.md.
 */
export function cognitoProvider(
  config: CognitoConfig,
  { clock, client = cognitoClient(config) }: { clock: Clock; client?: CognitoClient },
): IdentityProvider {
  const personOf = cognitoTokens(config, clock)
  const { clientId: ClientId } = config
  /** Set at the first refresh: a pool with refresh token rotation refuses REFRESH_TOKEN_AUTH. */
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
      return { kind: 'challenge', pending, delivery }
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
        const next = await callCognito('sign-in', respond('SELECT_MFA_TYPE', waiting, { ANSWER }))
        return follow(next, typed, login)
      }
      default:
        throw problem('unavailable', 'Your account requires a sign-in step that this console does not support.', {
          cause: new Error(`Cognito asks for ${answer.ChallengeName}. See docs/identity-providers.md.`),
        })
    }
  }

  async function identityOf({ IdToken, RefreshToken }: AuthenticationResultType): Promise<Identity> {
    const { login, username } = await personOf(IdToken ?? '')
    if (login === null) {
      // Users who may change their own address could otherwise take over another account.
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
        ClientSecret: config.clientSecret ?? undefined,
      }),
    )
    rotates = true
    return AuthenticationResult ?? {}
  }

  return {
    kind: 'cognito',
    async signIn({ userId, password }) {
      const typed = { username: userId.trim(), password }
      // Cognito reports an empty name or password as an error of the client.
      if (typed.username === '' || password === '') throw cognitoProblem('bad-credentials', undefined)
      return follow(await callCognito('sign-in', askForPassword(typed)), typed, typed.username.toLowerCase())
    },
    async answer({ kind, login, state }, answer) {
      const waiting = JSON.parse(state) as Waiting
      const { name, field } = steps[kind]
      const isPassword = kind === 'NEW_PASSWORD_REQUIRED'
      if (!isPassword && !/^\d{6}$/.test(answer)) throw cognitoProblem('invalid-parameter', undefined)
      const next = await callCognito(isPassword ? 'new-password' : 'code', respond(name, waiting, { [field]: answer }))
      return follow(next, { username: waiting.username, password: isPassword ? answer : '' }, login)
    },
    async resend({ kind, login, state }) {
      const { username, password = '' } = JSON.parse(state) as Waiting
      const typed = { username, password }
      const next = await follow(await callCognito('resend', askForPassword(typed)), typed, login)
      // The password or the second factor was changed in the meantime.
      if (next.kind !== 'challenge' || next.pending.kind !== kind) throw cognitoProblem('challenge-expired', undefined)
      const { pending, delivery } = next
      return { pending, delivery }
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
      await callCognito(
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
      // A user with another address is another account here.
      if (person.login !== before.login || person.username !== before.username) return { kind: 'ended' }
      return {
        kind: 'good',
        handle: JSON.stringify({ ...before, refreshToken: tokens.RefreshToken ?? before.refreshToken }),
      }
    },
    async signOut(handle) {
      const { refreshToken: Token } = JSON.parse(handle) as Handle
      await client.send(new RevokeTokenCommand({ ClientId, Token, ClientSecret: config.clientSecret ?? undefined }))
    },
  }

  function secretOf(username: string): { SecretHash?: string } {
    return { SecretHash: secretHash(config, username).SECRET_HASH }
  }
}

/** Cognito's documentation does not say which of them means refresh token rotation; the next call will show. */
const flowRefused = new Set([
  'UnsupportedOperationException',
  'OperationNotEnabledException',
  'InvalidParameterException',
])

async function callCognito<T>(step: CognitoStep, request: Promise<T>): Promise<T> {
  try {
    return await request
  } catch (error) {
    const meaning = cognitoMeaning(step, error)
    throw cognitoProblem(meaning === 'as-if-sent' ? 'unavailable' : meaning, error)
  }
}

/**
 * Returns a check for ID tokens: signed by the pool with RS256, issued to this app client, of type ID, not expired.
 * Throws `unavailable` for other tokens, because only Cognito supplies them, and if its keys cannot be read.
 */
function cognitoTokens(config: CognitoConfig, clock: Clock): (idToken: string) => Promise<CognitoPerson> {
  const issuer = cognitoIssuer(config)
  // Cached; read again when a token names another key, at most every 30 s.
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
      throw problem('unavailable', 'The identity provider is not responding correctly. Try again in a moment.', {
        cause: new Error(`The ID token of Cognito can't be used, ${said}`),
      })
    }
  }
}

/**
 * Creates a client that calls once and waits 4 s, because sign-in must respond within 4.5 s, and retrying a call that
 * only seems to have failed would send a second text message. Calls are unsigned: this server acts as an app client
 * only.
 */
export function cognitoClient({ region, endpoint }: CognitoConfig, timeoutMs = 4000): CognitoClient {
  return new CognitoIdentityProviderClient({
    region,
    ...(endpoint !== null && { endpoint }),
    maxAttempts: 1,
    requestHandler: { connectionTimeout: timeoutMs / 2, requestTimeout: timeoutMs, throwOnRequestTimeout: true },
  })
}

/** Returns the issuer of the pool's tokens and base URL of its keys. Hosts in China have another ending. */
export function cognitoIssuer({ region, userPoolId, endpoint }: CognitoConfig): string {
  const host = `https://cognito-idp.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`
  return `${(endpoint ?? host).replace(/\/+$/, '')}/${userPoolId}`
}

/** Returns the hash that an app client with a secret has to send with each user name. */
function secretHash({ clientId, clientSecret }: CognitoConfig, username: string): { SECRET_HASH?: string } {
  if (clientSecret === null) return {}
  return { SECRET_HASH: createHmac('sha256', clientSecret).update(`${username}${clientId}`).digest('base64') }
}

/** The request that Cognito refused. */
export type CognitoStep = 'sign-in' | 'new-password' | 'code' | 'resend' | 'forgot' | 'confirm' | 'recheck'

/** `as-if-sent`: the response hides the refusal, because it occurs only for existing accounts. */
type Meaning = ErrorCode | 'as-if-sent'

/** Steps before the caller has proven anything. All that Cognito knows is reported under these codes. */
const unproven: Record<CognitoStep, Meaning> = {
  'sign-in': 'bad-credentials',
  'new-password': 'challenge-expired',
  code: 'challenge-expired',
  resend: 'challenge-expired',
  forgot: 'as-if-sent',
  confirm: 'wrong-code',
  recheck: 'session-expired',
}

/** Error codes of wire 10 by exception name, and by step where they differ. The default is `unavailable`. */
const meanings: Record<string, Meaning | Partial<Record<CognitoStep, Meaning>>> = {
  NotAuthorizedException: unproven,
  // Hides unknown names even for pools that reveal them (PreventUserExistenceErrors=LEGACY).
  UserNotFoundException: unproven,
  UserNotConfirmedException: unproven,
  PasswordResetRequiredException: unproven,
  UserLambdaValidationException: unproven,
  RefreshTokenReuseException: unproven,
  InvalidParameterException: {
    ...unproven,
    'new-password': 'password-policy',
    code: 'invalid-parameter',
    confirm: 'invalid-parameter',
    recheck: 'unavailable',
  },
  InvalidPasswordException: { ...unproven, 'new-password': 'password-policy', confirm: 'password-policy' },
  PasswordHistoryPolicyViolationException: { 'new-password': 'password-policy', confirm: 'password-policy' },
  CodeMismatchException: { code: 'wrong-code', confirm: 'wrong-code' },
  ExpiredCodeException: { code: 'challenge-expired', confirm: 'code-expired' },
  TooManyFailedAttemptsException: {
    ...allSteps('too-many-requests'),
    'sign-in': 'attempts-exceeded',
    code: 'attempts-exceeded',
  },
  // Cognito counts per account, so at `forgot` the error would reveal that the account exists.
  LimitExceededException: { ...allSteps('too-many-requests'), forgot: 'as-if-sent' },
  TooManyRequestsException: 'too-many-requests',
  ThrottlingException: 'too-many-requests',
  // A web application firewall in front of the pool.
  ForbiddenException: 'too-many-requests',
  CodeDeliveryFailureException: { ...allSteps('sms-failed'), forgot: 'mail-busy' },
  InvalidEmailRoleAccessPolicyException: { ...allSteps('sms-failed'), forgot: 'mail-busy' },
  InvalidSmsRoleAccessPolicyException: 'sms-failed',
  InvalidSmsRoleTrustRelationshipException: 'sms-failed',
}

/** Exceptions with several meanings, distinguished by their message. Checked before the table. */
const bySentence: { name: string; says: RegExp; steps?: readonly CognitoStep[]; means: Meaning }[] = [
  // The cause is a setting of this server or of the pool, not the user's input.
  { name: 'NotAuthorizedException', says: /secret/i, means: 'unavailable' },
  { name: 'InvalidParameterException', says: /not enabled|SECRET_HASH/i, means: 'unavailable' },
  {
    name: 'NotAuthorizedException',
    says: /attempts exceeded/i,
    steps: ['sign-in', 'code'],
    means: 'attempts-exceeded',
  },
  {
    name: 'InvalidParameterException',
    says: /phone/i,
    steps: ['sign-in', 'new-password', 'resend'],
    means: 'bad-phone',
  },
  // Cognito returns "Cannot reset password for the user as there is no registered/verified email" for existing
  // accounts only.
  { name: 'InvalidParameterException', says: /validation error/i, steps: ['forgot'], means: 'wrong-user-ids' },
  // Codes of an authenticator app work once; another SMS would not help.
  { name: 'ExpiredCodeException', says: /already been used/i, steps: ['code'], means: 'wrong-code' },
]

const sentences: Partial<Record<ErrorCode, string>> = {
  'bad-credentials': 'Incorrect username or password.',
  'attempts-exceeded': 'Password attempts exceeded.',
  'too-many-requests': 'Too many requests, please try again later.',
  'mail-busy': 'Mail service is busy, please try again later.',
  'wrong-user-ids': 'Wrong userIds parameter.',
  'wrong-code': 'Incorrect verification code.',
  'code-expired': 'The verification code has expired, please resend the code.',
  'challenge-expired': 'MFA Token has expired, please resend code.',
  'invalid-parameter': 'Invalid parameter format.',
  'sms-failed': 'Failed to send SMS, please contact administrator.',
  'password-policy': 'Password does not conform to policy.',
  'bad-phone': 'Mobile number format error.',
  'session-expired': 'Session expired',
}
const UNREACHABLE = 'The identity provider is not responding. Try again in a moment.'

/** Returns the meaning of a refusal: a code of wire 10, or `as-if-sent` if nothing may be revealed. */
export function cognitoMeaning(step: CognitoStep, error: unknown): Meaning {
  const { name, message } = error instanceof Error ? error : new Error('')
  const sentence = bySentence.find(
    (rule) => rule.name === name && rule.says.test(message) && (rule.steps?.includes(step) ?? true),
  )
  if (sentence) return sentence.means
  const meaning = Object.hasOwn(meanings, name) ? meanings[name] : undefined
  return (typeof meaning === 'object' ? meaning[step] : meaning) ?? 'unavailable'
}

/** Returns the problem to throw. Cognito's name and message are logged; they never repeat a secret. */
export function cognitoProblem(code: ErrorCode, error: unknown): ProblemError {
  const said = error instanceof Error ? `${error.name}: ${error.message}` : 'an error without a name'
  return problem(code, sentences[code] ?? UNREACHABLE, { cause: new Error(`Cognito said ${said}`) })
}

function allSteps(meaning: Meaning): Record<CognitoStep, Meaning> {
  return Object.fromEntries(Object.keys(unproven).map((step) => [step, meaning])) as Record<CognitoStep, Meaning>
}
