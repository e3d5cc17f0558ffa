import { Secret } from 'otpauth'
import { describe, expect, test } from 'vitest'
import { newRecoveryCode, recoveryCodeIn } from './one-time-code.ts'
import { acceptedStep, newTotpSecret, otpauthUrl } from './totp.ts'

/** The secret and times of RFC 6238, appendix B. Its codes have 8 digits; apps show the last 6. */
const secret = Secret.fromLatin1('12345678901234567890').base32
const vectors = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
] as const
const at = (seconds: number) => new Date(seconds * 1000)
const accepted = (code: string, seconds: number, lastStep = 0) =>
  acceptedStep(secret, { code, at: at(seconds), lastStep })

describe('a code of an authenticator app', () => {
  test.each(vectors)('at %i is that of RFC 6238', (seconds, code) => {
    expect(accepted(code, seconds)).toBe(Math.floor(seconds / 30))
  })

  test('counts one step before and after its own, and no further', () => {
    const [seconds, code] = vectors[3]
    const own = Math.floor(seconds / 30)
    for (const shift of [-30, 0, 30]) expect(accepted(code, own * 30 + shift)).toBe(own)
    for (const shift of [-60, 60]) expect(accepted(code, own * 30 + shift)).toBeUndefined()
  })

  test('counts once: neither it nor an earlier one is accepted after it', () => {
    const [seconds, code] = vectors[3]
    const own = Math.floor(seconds / 30)
    expect(accepted(code, seconds, own - 1)).toBe(own)
    expect(accepted(code, seconds, own)).toBeUndefined()
    expect(accepted(code, seconds, own + 1)).toBeUndefined()
  })

  test('is no other', () => {
    for (const code of ['000000', '287082', '00592', '0059244']) expect(accepted(code, vectors[3][0])).toBeUndefined()
  })
})

test('a new secret has 160 bits and goes into an app by a QR code', () => {
  const made = newTotpSecret()
  expect(made).toMatch(/^[A-Z2-7]{32}$/)
  expect(newTotpSecret()).not.toBe(made)
  const url = new URL(otpauthUrl(made, { issuer: 'Benchwatch', label: 'ines@benchwatch.example' }))
  expect(url.protocol + url.host).toBe('otpauth:totp')
  expect(decodeURIComponent(url.pathname)).toBe('/Benchwatch:ines@benchwatch.example')
  expect(Object.fromEntries(url.searchParams)).toEqual({
    issuer: 'Benchwatch',
    secret: made,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  })
})

describe('a recovery code', () => {
  test('has 80 random bits in four groups, without letters that are taken for another', () => {
    const codes = Array.from({ length: 200 }, newRecoveryCode)
    for (const code of codes) expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{4}(?:-[0-9a-hjkmnp-tv-z]{4}){3}$/)
    expect(new Set(codes).size).toBe(200)
  })

  test('is read whatever its case, blanks, dashes and misread letters', () => {
    const stored = recoveryCodeIn('7k2m-9x41-0abc-defg')
    expect(stored).toBe('7k2m9x410abcdefg')
    for (const typed of ['7K2M-9X41-0ABC-DEFG', ' 7k2m 9x41 0abc defg ', '7k2m9x4lOabcdefg', '7k2m-9x4I-oabc-defg']) {
      expect(recoveryCodeIn(typed)).toBe(stored)
    }
    for (const typed of [
      '',
      '123456',
      '7k2m-9x41-0abc-def',
      '7k2m-9x41-0abc-defgh',
      '7k2m-9x41-0abc-def!',
      'ü'.repeat(16),
    ]) {
      expect(recoveryCodeIn(typed)).toBeUndefined()
    }
  })
})
