import { randomUUID } from 'node:crypto'
import { createClient } from '@benchwatch/client/client'
import { type BrowserContext, test as base, expect as baseExpect, type Locator, type Page } from '@playwright/test'
import { Alarms } from './alarms.ts'
import { apiOf } from './api.ts'
import { Outbox } from './outbox.ts'
import { DEMO_PASSWORD, people } from './people.ts'
import { demoDataDir, type Product, startProduct } from './product.ts'

/**
 * The assertions of Playwright. `toBeVisible` waits for the element before it asserts: each time that an assertion finds
 * no element, Playwright describes the whole page in case the test fails, which took an eighth of the renderers'
 * processor time.
 */
export const expect = baseExpect.extend({
  async toBeVisible(locator: Locator, options: { timeout?: number; visible?: boolean } = {}) {
    const { timeout = this.timeout, visible = true } = options
    let isLate = false
    if (!this.isNot && visible) {
      isLate = await locator.waitFor({ timeout }).then(
        () => false,
        () => true,
      )
    }
    const assertion = this.isNot ? baseExpect(locator).not : baseExpect(locator)
    try {
      await assertion.toBeVisible(isLate ? { timeout: 1 } : options)
      return { pass: !this.isNot, message: () => '' }
    } catch (error) {
      const waited = isLate ? `\nThe test had waited ${timeout} ms for it.` : ''
      return { pass: this.isNot, message: () => `${(error as Error).message}${waited}` }
    }
  },
})

/** Signs a browser context in through the API; the page's start-up refresh finds the cookie. */
export async function signIn(context: BrowserContext, product: Product, who: keyof typeof people): Promise<void> {
  const answer = await context.request.post(`${product.baseUrl}/api/auth/sign-in`, {
    data: { userId: people[who], password: DEMO_PASSWORD },
  })
  expect(answer.status(), await answer.text()).toBe(200)
}

export interface Account {
  userId: string
  password: string
}

/** Signs in on the login screen, up to whatever comes after the password. */
export async function signInOn(page: Page, { userId, password }: Account): Promise<void> {
  await page.getByLabel('User ID').fill(userId)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login' }).click()
}

interface PageOptions {
  colorScheme?: 'light' | 'dark'
  width?: number
  /** True for a journey that needs a page that has loaded nothing yet, or that changes it beyond repair. */
  isNew?: boolean
}

interface TestFixtures {
  /** A page of a browser context of its own in which this person is signed in. */
  pageOf: (who: keyof typeof people, options?: PageOptions) => Promise<Page>
  /** Reports alarms as a demo gateway does. */
  alarms: Alarms
  /** Sent e-mails and text messages. */
  outbox: Outbox
  /** A user that no other test uses, so that passwords and second factors can be changed. */
  account: Account
}

export const test = base.extend<TestFixtures, { product: Product; pages: Page[] }>({
  product: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright asks for a destructured first argument.
    async ({}, use) => {
      const product = await startProduct({ from: demoDataDir })
      await use(product)
      await product.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  pages: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright asks for a destructured first argument.
    async ({}, use) => use([]),
    { scope: 'worker' },
  ],
  baseURL: async ({ product }, use) => use(product.baseUrl),
  alarms: async ({ product }, use) => use(await Alarms.of(product)),
  outbox: async ({ product }, use) => use(new Outbox(product)),
  account: async ({ product, outbox }, use) => {
    const userId = `e2e-${randomUUID().slice(0, 8)}@benchwatch.example`
    const password = 'Own-bench-0417!'
    await apiOf(product, 'admin').call('inviteUser', {
      body: { email: userId, name: 'Ada Own', role: 'admin', customers: null },
    })
    const temporary = /^Temporary password: (\S+)$/m.exec((await outbox.newestTo(userId)).text ?? '')?.[1] ?? ''
    const anybody = createClient({ url: product.baseUrl, retries: 0 })
    const step = await anybody.call('signIn', { body: { userId, password: temporary } })
    if (!('challengeToken' in step)) throw new Error('The account has no temporary password.')
    const { challengeToken } = step
    const session = await anybody.call('setNewPassword', { body: { challengeToken, newPassword: password } })
    if (!('accessToken' in session)) throw new Error('The account can not sign in by its password alone.')
    // The journey begins without a session of the account.
    await fetch(`${product.baseUrl}/api/auth/sign-out`, {
      method: 'POST',
      headers: { authorization: `Bearer ${session.accessToken}` },
    })
    await use({ userId, password })
  },
  pageOf: async ({ browser, product, pages }, use, { status, expectedStatus }) => {
    const given: Page[] = []
    await use(async (who, { colorScheme = 'light', width = 1440, isNew = false } = {}) => {
      const viewport = { width, height: 900 }
      const kept = isNew ? undefined : pages.pop()
      const page = kept ?? (await (await browser.newContext({ baseURL: product.baseUrl, viewport })).newPage())
      given.push(page)
      await page.setViewportSize(viewport)
      await page.emulateMedia({ media: null, colorScheme, reducedMotion: 'reduce', forcedColors: null })
      await signIn(page.context(), product, who)
      return page
    })
    for (const page of given) {
      if (status === expectedStatus && (await isCleared(page))) pages.push(page)
      else await page.context().close()
    }
  },
})

/**
 * Makes a page as good as new for another journey: its scripts are compiled already, which halves the time of its first
 * screen. Returns false if it can't be: fake clocks, WebSockets and initial scripts of a journey stay with its page.
 */
async function isCleared(page: Page): Promise<boolean> {
  const context = page.context()
  if (page.isClosed()) return false
  const isAsMade = await page.evaluate(() =>
    [Date, setTimeout, WebSocket].every((given) => String(given).includes('[native code]')),
  )
  if (!isAsMade) return false
  for (const other of context.pages()) if (other !== page) await other.close()
  page.removeAllListeners()
  for (const routed of [page, context]) await routed.unrouteAll({ behavior: 'ignoreErrors' })
  await context.setOffline(false)
  await context.clearPermissions()
  await page.goto('/api/health')
  await page.evaluate(() => {
    localStorage.clear()
    sessionStorage.clear()
  })
  await context.clearCookies()
  return true
}

export { DEMO_PASSWORD, people }
