import { setTimeout as pause } from 'node:timers/promises'
import type { Browser, Locator, Page } from '@playwright/test'
import { openBrowser } from '../../product/browser.ts'
import type { Workplace } from '../script/workplace.ts'

/** The longest time until a screen must show the final state, whatever happens in between. */
export const SETTLED_WITHIN_MS = 30_000

/** Starts a Chromium that is closed at the end of the script. */
export async function openConsoles(workplace: Workplace): Promise<Browser> {
  const browser = await openBrowser()
  workplace.atEnd(() => browser.close())
  return browser
}

/** The details of an event in a user's browser. */
export class EventScreen {
  readonly page: Page
  /** Every toast that was shown, oldest first. */
  readonly toasts: string[] = []

  private constructor(page: Page) {
    this.page = page
  }

  /** Signs in at this address, which may be that of a faulty line. */
  static async open(
    browser: Browser,
    { at, person }: { at: string; person: { userId: string; password: string } },
  ): Promise<EventScreen> {
    const context = await browser.newContext({
      baseURL: at,
      viewport: { width: 1440, height: 900 },
      reducedMotion: 'reduce',
    })
    const answer = await context.request.post('/api/auth/sign-in', { data: person })
    if (!answer.ok()) throw new Error(`The sign-in was answered ${answer.status()}.`)
    const screen = new EventScreen(await context.newPage())
    await screen.page.exposeFunction('toastCame', (words: string) => screen.toasts.push(words))
    await screen.page.addInitScript(reportToasts)
    return screen
  }

  async show(eventId: string): Promise<void> {
    await this.page.goto(`/events/${eventId}`)
    await this.#owner.waitFor({ timeout: SETTLED_WITHIN_MS })
  }

  /** Assigns the event to the person with this name; `me` assigns it to the signed-in user. */
  async assign(name: string): Promise<void> {
    await this.#owner.click()
    const option = name === 'me' ? 'Assign to me' : name
    await this.page.getByRole('option', { name: option }).click({ timeout: SETTLED_WITHIN_MS })
  }

  async close(): Promise<void> {
    await this.#status.click()
    await this.page.getByRole('menuitem', { name: 'Closed…' }).click()
    const dialog = this.page.getByRole('dialog', { name: /^Close event ORC-/ })
    await dialog.getByLabel('Reason').selectOption('No action required', { timeout: SETTLED_WITHIN_MS })
    await dialog.getByRole('button', { name: 'Close event' }).click()
  }

  /** Waits until more toasts were shown than `already`: each change ends with one. */
  async waitForToast(already: number): Promise<void> {
    for (const until = Date.now() + SETTLED_WITHIN_MS; Date.now() < until && this.toasts.length <= already; ) {
      await pause(50)
    }
  }

  /** Closes a dialog that a change left open. */
  async leaveDialogs(): Promise<void> {
    if ((await this.page.getByRole('dialog').count()) > 0) await this.page.keyboard.press('Escape')
  }

  /** Returns owner and status as shown, without their labels; null while a change is in flight. */
  async state(): Promise<{ owner: string; status: string } | null> {
    if ((await this.#owner.getAttribute('aria-busy')) === 'true') return null
    const [owner, status] = await Promise.all([this.#owner, this.#status].map((one) => one.getAttribute('aria-label')))
    return { owner: owner?.replace('Owner: ', '') ?? '', status: status?.replace('Status: ', '') ?? '' }
  }

  get #owner(): Locator {
    return this.page.getByRole('button', { name: /^Owner: / })
  }

  get #status(): Locator {
    return this.page.getByRole('button', { name: /^Status: / })
  }
}

/** Runs in the page and reports each alert that appears. */
function reportToasts(): void {
  const reported = new WeakSet<Element>()
  new MutationObserver(() => {
    for (const alert of document.querySelectorAll('[role="alert"]')) {
      const words = alert.textContent?.trim() ?? ''
      if (words === '' || reported.has(alert)) continue
      reported.add(alert)
      void (globalThis as unknown as { toastCame(words: string): Promise<void> }).toastCame(words)
    }
  }).observe(document, { childList: true, subtree: true })
}
