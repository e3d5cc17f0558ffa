import { hash } from '@node-rs/argon2'
import { expect, test } from 'vitest'
import { hashPassword, isOutdated, passwordFits } from './password-hash.ts'

test('a hash names argon2id with 19 MiB, two passes and one lane, and a salt of its own', async () => {
  const [one, two] = await Promise.all([hashPassword('Secret-123!'), hashPassword('Secret-123!')])
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(one).not.toBe(two)
  expect(isOutdated(one)).toBe(false)
})

test('a password fits its own hash alone, in either form of its letters', async () => {
  const stored = await hashPassword('Ärger-123!')
  expect(await passwordFits(stored, 'Ärger-123!'.normalize('NFD'))).toBe(true)
  expect(await passwordFits(stored, 'ärger-123!')).toBe(false)
  expect(await passwordFits(null, 'nobody has this password')).toBe(false)
})

test('a hash with other parameters is outdated and still fits', async () => {
  const old = await hash('Secret-123!', { algorithm: 2, memoryCost: 8192, timeCost: 2, parallelism: 1 })
  expect(isOutdated(old)).toBe(true)
  expect(await passwordFits(old, 'Secret-123!')).toBe(true)
})

test('requests beyond the queue are asked to come back', async () => {
  const answers = await Promise.allSettled(Array.from({ length: 210 }, () => passwordFits(null, 'x')))
  const refused = answers.filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(6)
  expect(refused[0]).toMatchObject({ reason: { code: 'overloaded' } })
  expect(await passwordFits(null, 'x')).toBe(false)
})
