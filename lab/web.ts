/// <reference lib="dom" />
import { existsSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from '@playwright/test'
import { UsageError } from './arguments.ts'
import { reportTimes } from './bench/fixture.ts'
import { goals } from './bench/goals.ts'
import { measureBundles } from './bench/groups/bundles.ts'
import { measureRows } from './bench/groups/rows.ts'
import { describeMachine } from './measure/machine.ts'
import { figure, heading, line, type Measure, resultText } from './measure/measure.ts'
import { onDemo, openBrowser, signedIn, type Viewed } from './product/browser.ts'
import { resultsFolder } from './repository.ts'

const VISITS = 12
const file = join(resultsFolder, 'web.json')

/** Measures the files of the console, and how soon a browser shows its list of events, on the demo data. */
export async function runWeb(args: readonly string[]): Promise<void> {
  if (args.length > 0) throw new UsageError('Usage: npm run lab -- web')
  const machine = describeMachine()
  const measures: Measure[] = []
  const report = (measure: Measure) => {
    measures.push(measure)
    console.log(line(measure))
  }
  await onDemo(async (viewed) => {
    console.log(heading)
    await measureBundles(report)
    const browser = await openBrowser()
    try {
      await measurePaint(browser, { ...viewed, report })
    } finally {
      await browser.close()
    }
    await measureRows({ ...viewed, report })
  })
  await writeFile(file, resultText({ at: new Date().toISOString(), machine }, measures))
  console.log(`Written to ${file}`)
}

/**
 * Measures the largest contentful paint of `/events` and of a plain text in turns, each in a browser context without a
 * cache. The goal is not to be slower than before.
 */
async function measurePaint(
  browser: Browser,
  { report, ...viewed }: Viewed & { report(measure: Measure): void },
): Promise<void> {
  const name = '/events, largest contentful paint'
  const times: number[] = []
  const floor: number[] = []
  const requests: number[] = []
  for (let visit = 0; visit < VISITS; visit += 1) {
    const { context, page } = await signedIn(browser, viewed)
    await page.goto('/api/ready')
    floor.push(await page.evaluate(largestPaint))
    await page.goto('/events')
    await page.locator('tbody tr[data-row]').first().waitFor()
    await page.waitForLoadState('networkidle')
    times.push(await page.evaluate(largestPaint))
    // The page itself is no resource of its own.
    requests.push(1 + (await page.evaluate(() => performance.getEntriesByType('resource').length)))
    await context.close()
  }
  const before = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as { measures: Measure[] }).measures.find((one) => one.name === name)
    : undefined
  reportTimes(
    { report },
    {
      ...{ group: 'paint', name, times, floor: { how: 'a plain text of the server', times: floor } },
      note: before?.summary && `before: ${figure(before.summary.p50)} / ${figure(before.value)}`,
    },
  )
  report({
    group: 'paint',
    name: '/events, requests',
    unit: 'requests',
    value: Math.max(...requests),
    goal: goals.requests,
  })
}

/** Runs in the page: returns the time of the last paint that the browser counts as the largest, from the navigation. */
function largestPaint(): Promise<number> {
  return new Promise((resolve) => {
    new PerformanceObserver((list, observer) => {
      observer.disconnect()
      resolve(list.getEntries().at(-1)?.startTime ?? 0)
    }).observe({ type: 'largest-contentful-paint', buffered: true })
  })
}
