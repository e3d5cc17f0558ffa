import { randomUUID } from 'node:crypto'
import { type BrowserContext, test as base, expect, type Page } from '@playwright/test'
import { Alarms } from './alarms.ts'
import { Api } from './api.ts'
import { Outbox } from './outbox.ts'
import { DEMO_PASSWORD, people } from './people.ts'
import { demoDataDir, type Product, startProduct } from './product.ts'

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

interface TestFixtures {
  /** A page of a new browser context in which this person is signed in. */
  pageOf: (who: keyof typeof people, options?: { colorScheme?: 'light' | 'dark'; width?: number }) => Promise<Page>
  /** Reports alarms as a demo gateway does. */
  alarms: Alarms
  /** Sent e-mails and text messages. */
  outbox: Outbox
  /** Somebody whom no other test knows, so that passwords and second factors can be changed. */
  account: Account
}

export const test = base.extend<TestFixtures, { product: Product }>({
  product: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright asks for a destructured first argument.
    async ({}, use) => {
      const product = await startProduct({ from: demoDataDir })
      await use(product)
      await product.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: async ({ product }, use) => use(product.baseUrl),
  alarms: async ({ product }, use) => use(await Alarms.of(product)),
  outbox: async ({ product }, use) => use(new Outbox(product)),
  account: async ({ product, outbox, request }, use) => {
    const userId = `e2e-${randomUUID().slice(0, 8)}@benchwatch.example`
    const password = 'Own-bench-0417!'
    const admin = await Api.of(product, 'admin')
    await admin.call('POST', '/administration/users', { email: userId, name: 'Ada Own', role: 'admin', customers: null })
    const temporary = /^Temporary password: (\S+)$/m.exec((await outbox.newestTo(userId)).text ?? '')?.[1]
    const auth = async (path: string, data: object) => {
      const answer = await request.post(`${product.baseUrl}/api/auth/${path}`, { data })
      expect(answer.ok(), await answer.text()).toBe(true)
      return answer
    }
    const { challengeToken } = (await (await auth('sign-in', { userId, password: temporary })).json()) as {
      challengeToken: string
    }
    await auth('new-password', { challengeToken, newPassword: password })
    // The journey begins without a session of the account.
    await auth('sign-out', {})
    await use({ userId, password })
  },
  pageOf: async ({ browser, product }, use) => {
    const contexts: BrowserContext[] = []
    await use(async (who, { colorScheme = 'light', width = 1440 } = {}) => {
      const context = await browser.newContext({
        baseURL: product.baseUrl,
        colorScheme,
        viewport: { width, height: 900 },
        reducedMotion: 'reduce',
      })
      contexts.push(context)
      await signIn(context, product, who)
      return context.newPage()
    })
    for (const context of contexts) await context.close()
  },
})

export { DEMO_PASSWORD, expect, people }
