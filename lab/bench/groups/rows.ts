/// <reference lib="dom" />
import type { Page } from '@playwright/test'
import { openBrowser, signedIn, type Viewed } from '../../product/browser.ts'
import { type Fixture, reportTimes } from '../fixture.ts'
import { goals } from '../goals.ts'

const ROWS = 100
const PAGES = 30
const PRESSES = 20

/**
 * Measures how long a user waits for a list of 100 events: until the next frame after the answer, and after a press.
 */
export async function measureRows(fixture: Viewed & Pick<Fixture, 'report'>): Promise<void> {
  const browser = await openBrowser()
  try {
    const { page } = await signedIn(browser, fixture)
    await page.addInitScript(noteAnswers)
    await page.goto(`/events?pageSize=${ROWS}&start=1970-01-01T00:00:00.000Z`)
    await page
      .locator('tbody tr[data-row]')
      .nth(ROWS - 1)
      .waitFor()
    await page.waitForLoadState('networkidle')
    const measures = [
      { name: 'the next page of 100 events, after its answer', times: await nextPages(page) },
      { name: 'expanding one of 100 rows', times: await presses(page, 'tbody [data-action="expand"]') },
      { name: 'selecting one of 100 rows', times: await presses(page, 'tbody [data-action="select"]') },
      { name: 'selecting all of 100 rows', times: await presses(page, 'thead input[type="checkbox"]') },
    ]
    for (const measure of measures) reportTimes(fixture, { group: 'rows', ...measure, goal: goals.rows })
  } finally {
    await browser.close()
  }
}

declare global {
  /** The time at which the last answer with events was read. */
  var answeredAt: number | undefined
}

function noteAnswers(): void {
  for (const reading of ['json', 'text'] as const) {
    const read = Response.prototype[reading]
    Response.prototype[reading] = async function (this: Response) {
      const content: unknown = await read.call(this)
      if (/\/api\/alarms\?/.test(this.url)) globalThis.answeredAt = performance.now()
      return content as never
    }
  }
}

/** Measures from the answer to the frame that shows another first and another last row. */
async function nextPages(page: Page): Promise<number[]> {
  const times: number[] = []
  for (let turn = 0; turn < PAGES; turn += 1) {
    times.push(
      await page.evaluate(async () => {
        const ends = () => {
          const rows = document.querySelectorAll('tbody tr[data-row]')
          return [rows[0], rows[rows.length - 1]].map((row) => row?.getAttribute('data-row'))
        }
        const before = ends()
        globalThis.answeredAt = undefined
        document.querySelector<HTMLElement>('[aria-label="Next page"]')?.click()
        return new Promise<number>((resolve) => {
          const look = () => {
            const isNew = ends().every((id, index) => id !== before[index])
            if (!isNew || globalThis.answeredAt === undefined) requestAnimationFrame(look)
            // A task after the frame runs when it has been painted.
            else setTimeout(() => resolve(performance.now() - (globalThis.answeredAt ?? 0)))
          }
          requestAnimationFrame(look)
        })
      }),
    )
    await page.waitForLoadState('networkidle')
  }
  return times
}

/** Measures from the press to the end of the next frame, each on another row if there are several. */
async function presses(page: Page, selector: string): Promise<number[]> {
  const times: number[] = []
  for (let press = 0; press < PRESSES; press += 1) {
    times.push(
      await page.evaluate(
        async ({ selector, press }) => {
          const targets = document.querySelectorAll<HTMLElement>(selector)
          const target = targets[press % targets.length]
          return new Promise<number>((resolve) => {
            const pressed = performance.now()
            target?.click()
            requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - pressed)))
          })
        },
        { selector, press },
      ),
    )
    await page.waitForLoadState('networkidle')
  }
  return times
}
