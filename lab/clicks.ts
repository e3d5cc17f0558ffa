/// <reference lib="dom" />
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { UsageError } from './arguments.ts'
import { describeMachine } from './measure/machine.ts'
import { onDemo, openBrowser, signedIn } from './product/browser.ts'
import { resultsFolder } from './repository.ts'

const file = join(resultsFolder, 'clicks.json')
/** Every press and key is answered on the screen within this time. */
const ANSWER_MS = 100
const EVENTS_BY_KEYBOARD = 30
/** A step that changes nothing on the screen counts as answered this late. */
const NO_ANSWER_MS = 3000

/** A job that people do at the desk, with what it may cost. Digits that are typed are not counted. */
interface Job {
  name: string
  mostSteps: number
  run(desk: Desk): Promise<void>
}

interface Answer {
  step: string
  ms: number
}

/**
 * Does the daily jobs in a browser on the demo data, counts their presses and keys, and times how soon the screen answers
 * each of them.
 */
export async function runClicks(args: readonly string[]): Promise<void> {
  if (args.length > 0) throw new UsageError('Usage: npm run lab -- clicks')
  const machine = describeMachine()
  const results: { job: string; steps: number; mostSteps: number; slowest: Answer | undefined; verdict: string }[] = []
  await onDemo(async (viewed) => {
    const browser = await openBrowser()
    for (const { name, mostSteps, run } of jobs) {
      const { context, page } = await signedIn(browser, viewed)
      const desk = new Desk(page)
      page.setDefaultTimeout(30_000)
      const failure = await run(desk).then(
        () => null,
        (error: unknown) => String(error).split('\n')[0],
      )
      const slowest = desk.answers.toSorted((a, b) => b.ms - a.ms)[0]
      const isMet = desk.steps <= mostSteps && (slowest?.ms ?? 0) <= ANSWER_MS
      const verdict = failure ?? (isMet ? 'met' : 'missed')
      results.push({ job: name, steps: desk.steps, mostSteps, slowest, verdict })
      const answer = `slowest answer ${slowest?.ms.toFixed(0)} ms (${slowest?.step})`
      console.log(`${name.padEnd(58)} ${`${desk.steps} of ${mostSteps}`.padStart(10)}  ${answer}  ${verdict}`)
      await context.close()
    }
    await browser.close()
  })
  await writeFile(file, `${JSON.stringify({ at: new Date().toISOString(), machine, results }, null, 2)}\n`)
  console.log(`Written to ${file}`)
}

/** The page, where the answer to the step is measured. */
type Measured = typeof globalThis & { answered?: Promise<number> }

/** A page on which presses and keys are counted and timed. */
class Desk {
  readonly page: Page
  readonly answers: Answer[] = []
  steps = 0

  constructor(page: Page) {
    this.page = page
  }

  async press(target: Locator): Promise<void> {
    const name = (await target.getAttribute('aria-label')) ?? (await target.innerText())
    await target.hover()
    await this.#step(`press ${name}`, () => target.click())
  }

  async key(key: string): Promise<void> {
    await this.#step(`key ${key}`, () => this.page.keyboard.press(key))
  }

  /** Takes the first event by keys that are not counted. */
  async takeFirst(): Promise<void> {
    await this.page.keyboard.press('j')
    await this.page.keyboard.press('a')
    await this.rows.getByText(/^Me$/).first().waitFor()
  }

  async open(address: string): Promise<void> {
    await this.page.goto(address)
    await this.rows.first().waitFor()
    // The screen is ready when it has drawn its rows and no request is left.
    await this.page.waitForLoadState('networkidle')
  }

  get rows(): Locator {
    return this.page.locator('tbody tr[data-row]')
  }

  get dialog(): Locator {
    return this.page.getByRole('dialog')
  }

  /** Times from the click or key in the browser to the frame after the first change of the page that follows it. */
  async #step(step: string, act: () => Promise<void>): Promise<void> {
    this.steps += 1
    // Finished before the input is sent, which would otherwise overtake it.
    await this.page.evaluate((latest) => {
      const measured = globalThis as Measured
      measured.answered = new Promise<number>((resolve) => {
        setTimeout(() => resolve(latest), latest)
        let startedAt = Number.POSITIVE_INFINITY
        let changedAt = Number.NEGATIVE_INFINITY
        const finish = () => {
          // The console may answer before this listener hears of the input.
          if (changedAt < startedAt) return
          observer.disconnect()
          // Right after the frame is drawn, and not behind the timers that the page set.
          requestAnimationFrame(() => {
            void scheduler.postTask(() => resolve(performance.now() - startedAt), { priority: 'user-blocking' })
          })
        }
        const observer = new MutationObserver(() => {
          changedAt = performance.now()
          finish()
        })
        const start = (event: Event) => {
          for (const type of ['click', 'keydown']) removeEventListener(type, start, { capture: true })
          startedAt = event.timeStamp
          finish()
        }
        observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
        for (const type of ['click', 'keydown']) addEventListener(type, start, { capture: true })
      })
    }, NO_ANSWER_MS)
    await act()
    const ms = await this.page.evaluate(() => (globalThis as Measured).answered ?? 0)
    this.answers.push({ step, ms })
  }
}

/** The whole list of open events, the newest first. */
const OPEN = '/events?filters=alertStatus%3D1_NEW&start=1970-01-01T00:00:00.000Z&temporaryFilters=true&pageSize=50'

const jobs: readonly Job[] = [
  {
    name: 'claim the newest high event',
    mostSteps: 2,
    async run(desk) {
      await desk.open(OPEN)
      await desk.press(desk.rows.locator('[data-filter="severity"][data-value="high"]').first())
      await desk.page.waitForURL(/severity/)
      await desk.page.waitForLoadState('networkidle')
      const claim = desk.page.getByRole('button', { name: /^Assign to me ORC-/, includeHidden: true })
      const row = desk.rows.filter({ has: claim }).first()
      // The row shows its action under the pointer, which may rest below the rows that the filter left.
      await row.hover()
      await desk.press(row.locator(claim))
      await desk.rows.getByText(/^Me$/).first().waitFor()
    },
  },
  {
    name: 'close an own event with a case number, by presses',
    mostSteps: 3,
    async run(desk) {
      await desk.open(OPEN)
      await desk.takeFirst()
      await desk.press(desk.rows.getByRole('button', { name: /^Close… ORC-/ }).first())
      await desk.press(desk.dialog.getByRole('button', { name: 'Service Case Created' }))
      await desk.dialog.getByLabel('Service case number').fill('00123456')
      await desk.press(desk.dialog.getByRole('button', { name: 'Close event', exact: true }))
      await desk.dialog.waitFor({ state: 'detached' })
    },
  },
  {
    name: 'close an own event with a case number, by keys',
    mostSteps: 3,
    async run(desk) {
      await desk.open(OPEN)
      await desk.takeFirst()
      await desk.key('c')
      await desk.dialog.waitFor()
      await desk.key('s')
      await desk.page.keyboard.type('00123457')
      await desk.key('Enter')
      await desk.dialog.waitFor({ state: 'detached' })
    },
  },
  {
    name: 'the logs around an event',
    mostSteps: 2,
    async run(desk) {
      await desk.open(OPEN)
      await desk.key('j')
      await desk.key('l')
      await desk.dialog.waitFor()
    },
  },
  {
    name: 'the open events of one customer',
    mostSteps: 2,
    async run(desk) {
      await desk.open('/events')
      await desk.press(desk.rows.locator('[data-filter="enterpriseName"]').first())
      await desk.page.waitForURL(/enterpriseName/)
      await desk.press(desk.page.getByTestId('totals').getByRole('button', { name: /open events? (is|are) older/ }))
      await desk.page.waitForURL(/alertStatus/)
    },
  },
  {
    name: `${EVENTS_BY_KEYBOARD} events claimed, read and closed by keys`,
    mostSteps: 5 * EVENTS_BY_KEYBOARD + 2,
    async run(desk) {
      await desk.open(OPEN)
      await desk.key('j')
      await desk.key('Enter')
      await desk.page.waitForURL(/\/events\/\d+/)
      for (let event = 0; event < EVENTS_BY_KEYBOARD; event += 1) {
        await desk.page.getByRole('button', { name: 'Assign to me', exact: true }).waitFor()
        await desk.key('a')
        await desk.page.getByRole('button', { name: 'Owner: Me' }).waitFor()
        await desk.key('c')
        await desk.dialog.waitFor()
        await desk.key('n')
        await desk.key('Enter')
        await desk.dialog.waitFor({ state: 'detached' })
        await desk.key('j')
      }
    },
  },
]
