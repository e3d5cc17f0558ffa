import { expect, test } from 'vitest'
import { longestTrouble } from './break-four-servers.ts'

const answer = (startedAt: number, status: number, tookMs = 10) => ({ startedAt, status, tookMs })

test('trouble lasts from the first failed request to the end of the next good one', () => {
  const answers = [
    answer(0, 200),
    answer(100, 503),
    answer(400, 0),
    answer(900, 200),
    answer(1000, 503),
    answer(1100, 200),
  ]
  expect(longestTrouble(answers)).toBe(810)
  expect(longestTrouble(answers.toReversed())).toBe(810)
})

test('trouble that does not end lasts to the last answer', () => {
  expect(longestTrouble([answer(0, 200), answer(100, 500), answer(5100, 503)])).toBe(5010)
})

test('a refusal is no trouble', () => {
  expect(longestTrouble([answer(0, 429), answer(100, 412), answer(900, 200)])).toBe(0)
})
