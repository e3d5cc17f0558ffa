import { type BrowserContext, test as base, expect, type Page } from '@playwright/test'
import { Alarms } from './alarms.ts'
import { DEMO_PASSWORD, people } from './people.ts'
import { type Product, startProduct } from './product.ts'

/** Signs a browser context in through the API; the page's start-up refresh finds the cookie. */
export async function signIn(context: BrowserContext, product: Product, who: keyof typeof people): Promise<void> {
  const answer = await context.request.post(`${product.baseUrl}/api/auth/sign-in`, {
    data: { userId: people[who], password: DEMO_PASSWORD },
  })
  expect(answer.status(), await answer.text()).toBe(200)
}

interface TestFixtures {
  /** A page of a new browser context in which this person is signed in. */
  pageOf: (who: keyof typeof people, options?: { colorScheme?: 'light' | 'dark'; width?: number }) => Promise<Page>
  /** Reports alarms as a demo gateway does. */
  alarms: Alarms
}

export const test = base.extend<TestFixtures, { product: Product }>({
  product: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright asks for a destructured first argument.
    async ({}, use) => {
      const product = await startProduct()
      await use(product)
      await product.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: async ({ product }, use) => use(product.baseUrl),
  alarms: async ({ product }, use) => use(await Alarms.of(product)),
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
