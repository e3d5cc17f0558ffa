import { generate } from 'cognito-local/lib/services/totp.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../../platform/clock.ts'
import {
  COGNITO_CODE,
  type CognitoEmulator,
  startCognitoEmulator,
} from '../../../testing/emulators/cognito-emulator.ts'
import { type CognitoConfig, cognitoProvider } from './cognito-provider.ts'
import type { IdentityProvider, Step } from './identity-provider.ts'

/** Tests the whole flow over HTTP; cognito-provider.test.ts covers what the emulator does not support. */

const PASSWORD = 'Benchwatch-2026!'
const TOTP_SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
let emulator: CognitoEmulator
let provider: IdentityProvider

beforeAll(async () => {
  emulator = await startCognitoEmulator([
    { email: 'Ada@bench.example', password: PASSWORD },
    { email: 'forgot@bench.example', password: PASSWORD },
    { email: 'new@bench.example', password: 'Temporary-2026!', mustChange: true },
    { email: 'sms@bench.example', password: PASSWORD, phone: '+46700000103' },
    { email: 'app@bench.example', password: PASSWORD, totpSecret: TOTP_SECRET },
  ])
  provider = cognitoProvider(configOf(emulator), { clock: systemClock })
})
afterAll(() => emulator.stop())

const configOf = ({ region, userPoolId, clientId, endpoint }: CognitoEmulator): CognitoConfig => ({
  provider: 'cognito',
  region,
  userPoolId,
  clientId,
  clientSecret: null,
  endpoint,
})

function pendingOf(step: Step) {
  if (step.kind !== 'challenge') throw new Error('No further step was asked for.')
  return step.pending
}

function handleOf(step: Step): string {
  if (step.kind !== 'identity' || step.identity.handle === undefined) throw new Error('Nobody signed in.')
  return step.identity.handle
}

const signIn = (userId: string, password = PASSWORD) => provider.signIn({ userId, password })

describe('a password', () => {
  test('signs in as the verified address, in lower case', async () => {
    expect(await signIn(' Ada@bench.example ')).toMatchObject({
      kind: 'identity',
      identity: { login: 'ada@bench.example' },
    })
  })

  test('that is wrong is refused like a name that nobody has', async () => {
    const refused = { code: 'bad-credentials', message: 'Incorrect username or password.' }
    await expect(signIn('Ada@bench.example', 'wrong')).rejects.toMatchObject(refused)
    await expect(signIn('nobody@bench.example')).rejects.toMatchObject(refused)
    await expect(signIn('', '')).rejects.toMatchObject(refused)
  })

  test('that is temporary has to be changed', async () => {
    const pending = pendingOf(await signIn('new@bench.example', 'Temporary-2026!'))
    expect(pending).toMatchObject({ kind: 'NEW_PASSWORD_REQUIRED', login: 'new@bench.example' })
    expect(await provider.answer(pending, 'My-own-2026!')).toMatchObject({ identity: { login: 'new@bench.example' } })
    expect(await signIn('new@bench.example', 'My-own-2026!')).toMatchObject({ kind: 'identity' })
  })

  test('that was forgotten is replaced with a code sent by e-mail, and nobody learns which accounts exist', async () => {
    await provider.forgotPassword('nobody@bench.example')
    await provider.forgotPassword('forgot@bench.example')
    const reset = { email: 'Forgot@bench.example', newPassword: 'Another-2026!' }
    const wrong = { code: 'wrong-code' }
    await expect(provider.confirmForgotPassword({ ...reset, code: '000000' })).rejects.toMatchObject(wrong)
    await expect(
      provider.confirmForgotPassword({ ...reset, email: 'nobody@bench.example', code: COGNITO_CODE }),
    ).rejects.toMatchObject(wrong)
    const right = { ...reset, email: 'forgot@bench.example', code: COGNITO_CODE }
    expect(await provider.confirmForgotPassword(right)).toEqual({ login: 'forgot@bench.example' })
    expect(await signIn('forgot@bench.example', 'Another-2026!')).toMatchObject({ kind: 'identity' })
  })
})

describe('a second factor', () => {
  test('by SMS takes the six digits, also of a code that was sent again', async () => {
    const step = await signIn('sms@bench.example')
    expect(step).toMatchObject({ delivery: expect.stringMatching(/.+/), pending: { kind: 'SMS_MFA' } })
    await expect(provider.answer(pendingOf(step), '000000')).rejects.toMatchObject({ code: 'wrong-code' })
    await expect(provider.answer(pendingOf(step), '12 34')).rejects.toMatchObject({ code: 'invalid-parameter' })
    const { pending } = await provider.resend(pendingOf(step))
    expect(pending.state).not.toBe(pendingOf(step).state)
    expect(await provider.answer(pending, COGNITO_CODE)).toMatchObject({ identity: { login: 'sms@bench.example' } })
  })

  test('of an authenticator app', async () => {
    const pending = pendingOf(await signIn('app@bench.example'))
    expect(pending).toMatchObject({ kind: 'TOTP_MFA', login: 'app@bench.example' })
    expect(pending.state).not.toContain(PASSWORD)
    await expect(provider.answer(pending, '000000')).rejects.toMatchObject({ code: 'wrong-code' })
    expect(await provider.answer(pending, generate(TOTP_SECRET))).toMatchObject({ kind: 'identity' })
  })
})

describe('asking again', () => {
  test('is good until signed out', async () => {
    const handle = handleOf(await signIn('Ada@bench.example'))
    expect(await provider.recheck?.(handle)).toEqual({ kind: 'good', handle })
    await provider.signOut?.(handle)
    expect(await provider.recheck?.(handle)).toEqual({ kind: 'ended' })
  })
})
