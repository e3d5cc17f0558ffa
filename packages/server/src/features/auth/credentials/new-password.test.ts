import { describe, expect, test } from 'vitest'
import { flawsOf, requireGoodPassword } from './new-password.ts'

const owner = { name: 'Ines Öberg', login: 'ines.oberg@benchwatch.example' }
const COMMON = 'not to be a common password'
const NAME = 'not to contain your name or e-mail address'

test.each([
  'Quiet-Pipette-71',
  'Benchwatch-2026!',
  'Zürich/Øre 19 plus',
  'correct horse Battery 9 staple!',
  'Ünï-cöde-Pass9',
  'kJ8#mQ2$vL5',
  'Dragon-flies-eat-9-moths',
])('%s may be used', async (password) => {
  expect(await flawsOf(password, owner)).toEqual([])
})

describe('the rules on screen', () => {
  test.each([
    ['Ab1-', 'at least 8 characters'],
    ['QUIET-PIPETTE-71', 'a lowercase letter'],
    ['quiet-pipette-71', 'at least 1 uppercase'],
    ['Quiet-Pipette-x', 'at least 1 number'],
    ['QuietPipette71', 'at least 1 special character'],
    [`Aa1-${'x'.repeat(260)}`, 'at most 256 characters'],
  ])('%s lacks %s', async (password, rule) => {
    expect(await flawsOf(password, owner)).toEqual([rule])
  })
})

test.each([
  'Password1!',
  'P@ssw0rd!',
  'P@55w0rd-2',
  'Qwerty123!',
  'Welcome-2026!',
  '!Summer2026',
  'L3tm31n!!',
  '1q2w3e4r5T!',
  'Password-1',
])('%s is too common', async (password) => {
  expect(await flawsOf(password, owner)).toEqual([COMMON])
})

test.each(['Ines.Oberg-7', 'My-oberg-Pass7', 'xx-ÖBERG-1a', 'Inés-xx-77-ines.'])(
  '%s holds the name',
  async (password) => {
    expect(await flawsOf(password, owner)).toEqual([NAME])
  },
)

test('parts of a name under 4 letters and unrelated names are no matter', async () => {
  expect(await flawsOf('Bosun-Whistle-7', { name: 'Bo Su', login: 'bo@benchwatch.example' })).toEqual([])
  expect(await flawsOf('Quiet-Pipette-71', { name: null, login: 'q@benchwatch.example' })).toEqual([])
})

test('a refusal says every rule that is broken', async () => {
  await expect(requireGoodPassword('password', owner)).rejects.toThrow(
    `The password does not conform to policy. It needs at least 1 uppercase, at least 1 number, at least 1 special character and ${COMMON}.`,
  )
})

test('finds its verdict at once, however hostile the password', async () => {
  const start = process.cpuUsage()
  for (const text of ['!1'.repeat(500), 'a@'.repeat(500), '0'.repeat(1000), 'é'.repeat(1000)])
    await flawsOf(text, owner)
  expect(process.cpuUsage(start).user).toBeLessThan(2_000_000)
})
