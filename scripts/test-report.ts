/** The counts of a test run, whichever tool ran the tests. */
export interface Count {
  passed: number
  failed: number
  skipped: number
}

export const nothing: Count = { passed: 0, failed: 0, skipped: 0 }

interface VitestReport {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
  testResults: readonly { status: string; assertionResults: readonly unknown[] }[]
}

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number }
}

export function add(a: Count, b: Count): Count {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped }
}

/** Returns the machine-readable last line of a run: `N passed, N failed`, and `, N skipped` if any were. */
export function summaryLine({ passed, failed, skipped }: Count): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

/**
 * Reads the JSON report of vitest. A file that failed before its first test counts as one failed test, and so does a
 * run that failed for another reason, such as an uncaught error, which passing tests must not hide.
 */
export function countVitest(report: VitestReport | undefined, code: number): Count {
  if (!report) return { ...nothing, failed: 1 }
  const emptyFailures = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  )
  return {
    passed: report.numPassedTests,
    failed: atLeastOneWhenRed(report.numFailedTests + emptyFailures.length, code),
    skipped: report.numPendingTests + report.numTodoTests,
  }
}

/** Reads the JSON report of Playwright. A test that passed only on its second try has failed. */
export function countPlaywright(report: PlaywrightReport | undefined, code: number): Count {
  if (!report) return { ...nothing, failed: 1 }
  const { expected, unexpected, flaky, skipped } = report.stats
  return { passed: expected, failed: atLeastOneWhenRed(unexpected + flaky, code), skipped }
}

function atLeastOneWhenRed(failed: number, code: number): number {
  return code === 0 ? failed : Math.max(failed, 1)
}
