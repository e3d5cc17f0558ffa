import { expect, test } from 'vitest'
import { add, countPlaywright, countVitest, nothing, summaryLine } from './test-report.ts'

test('the summary is one line that a machine can read', () => {
  expect(summaryLine({ passed: 12, failed: 0, skipped: 0 })).toBe('12 passed, 0 failed')
  expect(summaryLine({ passed: 12, failed: 3, skipped: 1 })).toBe('12 passed, 3 failed, 1 skipped')
})

const vitest = { numPassedTests: 5, numFailedTests: 0, numPendingTests: 1, numTodoTests: 1, testResults: [] }

test('tests of vitest are counted one by one', () => {
  expect(countVitest(vitest, 0)).toEqual({ passed: 5, failed: 0, skipped: 2 })
  expect(countVitest({ ...vitest, numFailedTests: 2 }, 1)).toMatchObject({ failed: 2 })
})

test('a run that failed never counts as green, whatever its tests say', () => {
  expect(countVitest(vitest, 1).failed).toBe(1)
  expect(countVitest(undefined, 0).failed).toBe(1)
  expect(countPlaywright({ stats: { expected: 2, unexpected: 0, flaky: 0, skipped: 0 } }, 1).failed).toBe(1)
  expect(countPlaywright(undefined, 0).failed).toBe(1)
})

test('a test file that could not be loaded is one failure', () => {
  const testResults = [
    { status: 'failed', assertionResults: [] },
    { status: 'passed', assertionResults: [{}] },
  ]
  expect(countVitest({ ...vitest, numFailedTests: 1, testResults }, 1).failed).toBe(2)
})

test('a journey that passed only at its second try has failed', () => {
  expect(countPlaywright({ stats: { expected: 2, unexpected: 1, flaky: 1, skipped: 3 } }, 1)).toEqual({
    passed: 2,
    failed: 2,
    skipped: 3,
  })
})

test('counts add up', () => {
  expect(add({ passed: 1, failed: 2, skipped: 3 }, add(nothing, { passed: 1, failed: 1, skipped: 1 }))).toEqual({
    passed: 2,
    failed: 3,
    skipped: 4,
  })
})
