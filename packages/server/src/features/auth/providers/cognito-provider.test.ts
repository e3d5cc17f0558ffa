import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fixedClock } from '../../../platform/clock.ts'
import {
  type CognitoClient,
  type CognitoConfig,
  cognitoClient,
  cognitoIssuer,
  cognitoProvider,
} from './cognito-provider.ts'
import type { PendingStep, Step } from './identity-provider.ts'

/** Tests what the emulator does not support, with prepared Cognito responses; the keys come over HTTP. */

const NOW = new Date('2026-11-20T14:00:00Z')
const SUB = 'f0e1d2c3-0000-4000-8000-000000000001'
let keys: Server
let endpoint: string
let pool: { privateKey: CryptoKey; publicKey: CryptoKey }

beforeAll(async () => {
  pool = await generateKeyPair('RS256', { extractable: true })
  const jwks = JSON.stringify({
    keys: [{ ...(await exportJWK(pool.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }],
  })
  keys = createServer((request, response) => {
    const found = request.url === '/eu_Pool/.well-known/jwks.json'
    response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' }).end(found ? jwks : '')
  })
  keys.listen(0, '127.0.0.1')
  await once(keys, 'listening')
  endpoint = `http://127.0.0.1:${(keys.address() as AddressInfo).port}`
})
afterAll(() => {
  keys.close()
  keys.closeAllConnections()
})

const configOf = (changes: Partial<CognitoConfig> = {}): CognitoConfig => ({
  provider: 'cognito',
  region: 'eu-north-1',
  userPoolId: 'eu_Pool',
  clientId: 'client',
  clientSecret: null,
  endpoint,
  ...changes,
})

const claims = {
  sub: SUB,
  email: 'Ada@Bench.Example',
  email_verified: true,
  token_use: 'id',
  'cognito:username': SUB,
}

/** Returns an ID token. A change of `undefined` leaves the claim out. */
function idToken(changes: JWTPayload = {}, { alg = 'RS256', key = pool.privateKey as CryptoKey | Uint8Array } = {}) {
  const seconds = NOW.getTime() / 1000
  const payload: JWTPayload = {
    iss: `${endpoint}/eu_Pool`,
    aud: 'client',
    iat: seconds,
    exp: seconds + 3600,
    ...claims,
    ...changes,
  }
  return new SignJWT(payload).setProtectedHeader({ alg, kid: 'one' }).sign(key)
}

interface Sent {
  command: string
  input: Record<string, unknown>
}

/** Returns a Cognito client that gives one prepared response per call. Errors are thrown. */
function cognito(answers: unknown[], changes: Partial<CognitoConfig> = {}) {
  const sent: Sent[] = []
  const client = {
    async send(command: { constructor: { name: string }; input: Record<string, unknown> }) {
      sent.push({ command: command.constructor.name, input: command.input })
      const answer = answers.shift()
      if (answer instanceof Error) throw answer
      return answer
    },
  } as unknown as CognitoClient
  return { sent, provider: cognitoProvider(configOf(changes), { client, clock: fixedClock(NOW) }) }
}

const said = (name: string, message = '') => Object.assign(new Error(message), { name })
const tokens = async (changes: JWTPayload = {}) => ({
  AuthenticationResult: { IdToken: await idToken(changes), AccessToken: 'a', RefreshToken: 'refresh-1' },
})
const credentials = { userId: 'Ada@Bench.Example', password: 'right' }
const handle = JSON.stringify({ refreshToken: 'refresh-1', username: SUB, login: 'ada@bench.example' })

function pendingOf(step: Step): PendingStep {
  if (step.kind !== 'challenge') throw new Error('No further step was asked for.')
  return step.pending
}

const hashOf = (username: string) => createHmac('sha256', 's3cret').update(`${username}client`).digest('base64')

describe('what is asked of Cognito', () => {
  test('a password, by USER_PASSWORD_AUTH', async () => {
    const { sent, provider } = cognito([await tokens()])
    expect(await provider.signIn(credentials)).toEqual({
      kind: 'identity',
      identity: { login: 'ada@bench.example', handle },
    })
    expect(sent).toEqual([
      {
        command: 'InitiateAuthCommand',
        input: {
          ClientId: 'client',
          AuthFlow: 'USER_PASSWORD_AUTH',
          AuthParameters: { USERNAME: 'Ada@Bench.Example', PASSWORD: 'right' },
        },
      },
    ])
  })

  test('with a client secret, a hash with each name', async () => {
    const challenge = {
      ChallengeName: 'NEW_PASSWORD_REQUIRED',
      Session: 's1',
      ChallengeParameters: { USER_ID_FOR_SRP: SUB },
    }
    const { sent, provider } = cognito([challenge, await tokens(), {}, {}, await tokens(), {}], {
      clientSecret: 's3cret',
    })
    const pending = pendingOf(await provider.signIn(credentials))
    await provider.answer(pending, 'New-2026!')
    await provider.forgotPassword('ada@bench.example')
    await provider.confirmForgotPassword({ email: 'ada@bench.example', code: '123456', newPassword: 'n' })
    await provider.recheck?.(handle)
    await provider.signOut?.(handle)
    expect(sent.map(({ input }) => input)).toEqual([
      expect.objectContaining({
        AuthParameters: expect.objectContaining({ SECRET_HASH: hashOf('Ada@Bench.Example') }),
      }),
      {
        ClientId: 'client',
        ChallengeName: 'NEW_PASSWORD_REQUIRED',
        Session: 's1',
        // Challenges are answered with Cognito's own name, not with an alias.
        ChallengeResponses: { USERNAME: SUB, NEW_PASSWORD: 'New-2026!', SECRET_HASH: hashOf(SUB) },
      },
      { ClientId: 'client', Username: 'ada@bench.example', SecretHash: hashOf('ada@bench.example') },
      {
        ClientId: 'client',
        Username: 'ada@bench.example',
        ConfirmationCode: '123456',
        Password: 'n',
        SecretHash: hashOf('ada@bench.example'),
      },
      {
        ClientId: 'client',
        AuthFlow: 'REFRESH_TOKEN_AUTH',
        AuthParameters: { REFRESH_TOKEN: 'refresh-1', SECRET_HASH: hashOf(SUB) },
      },
      { ClientId: 'client', Token: 'refresh-1', ClientSecret: 's3cret' },
    ])
  })

  test.each([
    ['SMS_MFA', 'SMS_MFA', 'SMS_MFA_CODE'],
    ['SOFTWARE_TOKEN_MFA', 'TOTP_MFA', 'SOFTWARE_TOKEN_MFA_CODE'],
  ])('the code of %s', async (name, kind, field) => {
    const parameters = { USER_ID_FOR_SRP: SUB, CODE_DELIVERY_DESTINATION: '+*******0103' }
    const { sent, provider } = cognito([
      { ChallengeName: name, Session: 's1', ChallengeParameters: parameters },
      said('CodeMismatchException'),
      await tokens(),
    ])
    const step = await provider.signIn(credentials)
    expect(step).toMatchObject({ delivery: '+*******0103', pending: { kind, login: 'ada@bench.example' } })
    await expect(provider.answer(pendingOf(step), '000000')).rejects.toMatchObject({ code: 'wrong-code' })
    expect(await provider.answer(pendingOf(step), '123456')).toMatchObject({ kind: 'identity' })
    expect(sent.at(-1)).toEqual({
      command: 'RespondToAuthChallengeCommand',
      input: {
        ClientId: 'client',
        ChallengeName: name,
        Session: 's1',
        ChallengeResponses: { USERNAME: SUB, [field]: '123456' },
      },
    })
  })

  test('an authenticator app rather than an SMS, where there are both', async () => {
    const { sent, provider } = cognito([
      {
        ChallengeName: 'SELECT_MFA_TYPE',
        Session: 's1',
        ChallengeParameters: { USER_ID_FOR_SRP: SUB, MFAS_CAN_CHOOSE: '["SMS_MFA","SOFTWARE_TOKEN_MFA"]' },
      },
      { ChallengeName: 'SOFTWARE_TOKEN_MFA', Session: 's2', ChallengeParameters: {} },
    ])
    expect(pendingOf(await provider.signIn(credentials)).kind).toBe('TOTP_MFA')
    expect(sent[1]?.input).toMatchObject({ ChallengeResponses: { USERNAME: SUB, ANSWER: 'SOFTWARE_TOKEN_MFA' } })
  })

  test('no more of a step that this console does not know', async () => {
    const { provider } = cognito([{ ChallengeName: 'MFA_SETUP', Session: 's1', ChallengeParameters: {} }])
    await expect(provider.signIn(credentials)).rejects.toMatchObject({ code: 'unavailable' })
  })
})

describe('another code by SMS', () => {
  const sms = (session: string) => ({
    ChallengeName: 'SMS_MFA',
    Session: session,
    ChallengeParameters: { USER_ID_FOR_SRP: SUB, CODE_DELIVERY_DESTINATION: '+*******0103' },
  })

  test('comes by asking for the password again, under a new session of Cognito', async () => {
    const { sent, provider } = cognito([sms('s1'), sms('s2'), await tokens()])
    const first = pendingOf(await provider.signIn(credentials))
    const { pending, delivery } = await provider.resend(first)
    expect(delivery).toBe('+*******0103')
    expect(sent[1]?.input).toMatchObject({ AuthParameters: { USERNAME: SUB, PASSWORD: 'right' } })
    await provider.answer(pending, '123456')
    expect(sent[2]?.input).toMatchObject({ Session: 's2' })
  })

  test('comes also after a new password was set', async () => {
    const forced = {
      ChallengeName: 'NEW_PASSWORD_REQUIRED',
      Session: 's0',
      ChallengeParameters: { USER_ID_FOR_SRP: SUB },
    }
    const { sent, provider } = cognito([forced, sms('s1'), sms('s2')])
    const next = await provider.answer(pendingOf(await provider.signIn(credentials)), 'New-2026!')
    await provider.resend(pendingOf(next))
    expect(sent[2]?.input).toMatchObject({ AuthParameters: { USERNAME: SUB, PASSWORD: 'New-2026!' } })
  })

  test.each([
    [
      'the password was changed',
      said('NotAuthorizedException', 'Incorrect username or password.'),
      'challenge-expired',
    ],
    ['the second factor is another one', { ChallengeName: 'SOFTWARE_TOKEN_MFA', Session: 's2' }, 'challenge-expired'],
    ['no SMS can be sent', said('InvalidSmsRoleAccessPolicyException'), 'sms-failed'],
    ['the number is none', said('InvalidParameterException', 'Invalid phone number'), 'bad-phone'],
    ['there are too many', said('TooManyRequestsException'), 'too-many-requests'],
  ])('is not sent when %s', async (_when, answer, code) => {
    const { provider } = cognito([sms('s1'), answer])
    const pending = pendingOf(await provider.signIn(credentials))
    await expect(provider.resend(pending)).rejects.toMatchObject({ code })
  })

  test('the password is kept for that alone', async () => {
    for (const ChallengeName of ['NEW_PASSWORD_REQUIRED', 'SOFTWARE_TOKEN_MFA']) {
      const { provider } = cognito([{ ChallengeName, Session: 's1', ChallengeParameters: { USER_ID_FOR_SRP: SUB } }])
      expect(pendingOf(await provider.signIn(credentials)).state).not.toContain('right')
    }
  })
})

describe('an ID token', () => {
  const refused = { code: 'unavailable' }
  const signInWith = async (token: string) =>
    cognito([{ AuthenticationResult: { IdToken: token, RefreshToken: 'r' } }]).provider.signIn(credentials)

  test.each<[string, JWTPayload]>([
    ['of another pool', { iss: 'https://cognito-idp.eu-north-1.amazonaws.com/eu_Other' }],
    ['for another client', { aud: 'other' }],
    ['that is an access token', { token_use: 'access' }],
    ['past its end', { exp: NOW.getTime() / 1000 - 61 }],
    ['without an end', { exp: undefined as never }],
    ['of nobody', { sub: undefined as never }],
  ])('%s lets nobody in', async (_what, changes) => {
    await expect(signInWith(await idToken(changes))).rejects.toMatchObject(refused)
  })

  test('may be a minute past its end, because clocks differ', async () => {
    expect(await signInWith(await idToken({ exp: NOW.getTime() / 1000 - 59 }))).toMatchObject({ kind: 'identity' })
  })

  test('signed by somebody else, with another algorithm or not at all lets nobody in', async () => {
    const other = await generateKeyPair('RS256')
    await expect(signInWith(await idToken({}, { key: other.privateKey }))).rejects.toMatchObject(refused)
    // Uses the pool's public key as the secret of a MAC.
    const secret = new TextEncoder().encode(JSON.stringify(await exportJWK(pool.publicKey)))
    await expect(signInWith(await idToken({}, { alg: 'HS256', key: secret }))).rejects.toMatchObject(refused)
    const [, payload] = (await idToken()).split('.')
    const none = Buffer.from('{"alg":"none","kid":"one"}').toString('base64url')
    await expect(signInWith(`${none}.${payload}.`)).rejects.toMatchObject(refused)
    await expect(signInWith('')).rejects.toMatchObject(refused)
  })

  test.each<[string, JWTPayload]>([
    ['not verified', { email_verified: false }],
    ['said to be verified by a text', { email_verified: 'true' }],
    ['not told to be verified', { email_verified: undefined as never }],
    ['missing', { email: undefined as never }],
  ])('with an address that is %s lets nobody in', async (_what, changes) => {
    await expect(signInWith(await idToken(changes))).rejects.toMatchObject({ code: 'bad-credentials' })
  })
})

describe('asking again', () => {
  const refreshed = async (changes: JWTPayload = {}, RefreshToken?: string) => ({
    AuthenticationResult: { IdToken: await idToken(changes), ...(RefreshToken && { RefreshToken }) },
  })

  test('keeps the token of a pool that does not rotate', async () => {
    const { provider } = cognito([await refreshed()])
    expect(await provider.recheck?.(handle)).toEqual({ kind: 'good', handle })
  })

  test.each(['UnsupportedOperationException', 'OperationNotEnabledException', 'InvalidParameterException'])(
    'takes the next token of a pool that does, and asks it so from then on: %s',
    async (name) => {
      const { sent, provider } = cognito([
        said(name),
        await refreshed({}, 'refresh-2'),
        await refreshed({}, 'refresh-3'),
      ])
      const first = await provider.recheck?.(handle)
      if (first?.kind !== 'good') throw new Error('It is good.')
      expect(JSON.parse(first.handle)).toMatchObject({ refreshToken: 'refresh-2' })
      await provider.recheck?.(first.handle)
      expect(sent.map(({ command }) => command)).toEqual([
        'InitiateAuthCommand',
        'GetTokensFromRefreshTokenCommand',
        'GetTokensFromRefreshTokenCommand',
      ])
      expect(sent[2]?.input).toEqual({ ClientId: 'client', RefreshToken: 'refresh-2' })
    },
  )

  test.each([
    ['the token was revoked', [said('NotAuthorizedException', 'Refresh Token has been revoked')]],
    ['the user is disabled', [said('NotAuthorizedException', 'User is disabled.')]],
    ['the user is gone', [said('UserNotFoundException')]],
    ['a rotated token comes again', [said('UnsupportedOperationException'), said('RefreshTokenReuseException')]],
  ])('ends the session when %s', async (_when, answers) => {
    expect(await cognito(answers).provider.recheck?.(handle)).toEqual({ kind: 'ended' })
  })

  test('ends the session of somebody whose address changed or is no longer verified', async () => {
    for (const changes of [{ email: 'eve@bench.example' }, { email_verified: false }]) {
      expect(await cognito([await refreshed(changes)]).provider.recheck?.(handle)).toEqual({ kind: 'ended' })
    }
  })

  test.each([
    ['is down', said('TimeoutError')],
    ['is busy', said('TooManyRequestsException')],
    ['does not know this server', said('NotAuthorizedException', 'Unable to verify secret hash for client client')],
  ])('throws when Cognito %s, so that the session continues', async (_when, answer) => {
    await expect(cognito([answer]).provider.recheck?.(handle)).rejects.toMatchObject({ code: 'unavailable' })
  })
})

describe('a forgotten password', () => {
  test.each(['UserNotFoundException', 'NotAuthorizedException', 'LimitExceededException'])(
    'does not reveal whether there is such an account: %s',
    async (name) => {
      expect(await cognito([said(name)]).provider.forgotPassword('ada@bench.example')).toBeUndefined()
    },
  )

  test('reports that no e-mail can be sent', async () => {
    const { provider } = cognito([said('CodeDeliveryFailureException')])
    await expect(provider.forgotPassword('ada@bench.example')).rejects.toMatchObject({ code: 'mail-busy' })
  })
})

test('nothing that was typed gets into what is logged', async () => {
  const { provider } = cognito([said('InternalErrorException', 'Something failed.')])
  const error = await provider.signIn(credentials).catch((reason: unknown) => reason)
  expect(String((error as Error).cause)).toBe('Error: Cognito said InternalErrorException: Something failed.')
})

test('tokens come from the issuer that the region has', () => {
  const at = (region: string, changes = {}) => cognitoIssuer(configOf({ region, endpoint: null, ...changes }))
  expect(at('eu-north-1')).toBe('https://cognito-idp.eu-north-1.amazonaws.com/eu_Pool')
  expect(at('cn-north-1')).toBe('https://cognito-idp.cn-north-1.amazonaws.com.cn/eu_Pool')
  expect(at('local', { endpoint: 'http://127.0.0.1:9229/' })).toBe('http://127.0.0.1:9229/eu_Pool')
})

test('a Cognito that keeps silent or that nobody can reach is unavailable', async () => {
  const server = createServer(() => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const config = configOf({ endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
  const provider = cognitoProvider(config, { clock: fixedClock(NOW), client: cognitoClient(config, 50) })
  await expect(provider.signIn(credentials)).rejects.toMatchObject({ code: 'unavailable' })
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
  await expect(provider.signIn(credentials)).rejects.toMatchObject({ code: 'unavailable' })
})
