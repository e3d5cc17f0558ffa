import type { Page } from '@playwright/test'
import { objections } from '../../axe.ts'
import { expect, test } from '../../fixtures.ts'

const FAILED = 'Something went wrong while loading the help page. Please try again or contact support for assistance'

const frame = (page: Page) => page.frameLocator('iframe[title="Help pages"]')
const title = (page: Page) => frame(page).getByRole('heading', { level: 1 })

test.describe('help', () => {
  test('the help site is embedded in a frame, is searched, and its address follows what is read', async ({
    pageOf,
    product,
  }) => {
    const page = await pageOf('customer')
    await page.goto('/events')
    await page.getByRole('link', { name: 'Help' }).click()
    await expect(title(page)).toHaveText('First steps')
    const contact = page.getByRole('region', { name: 'Support contact' })
    await expect(contact.getByRole('link')).toHaveAttribute('href', /^mailto:\S+@\S+$/)
    await expect(contact).toContainText(/Version \d+\.\d+\.\d+ · \w+/)

    const search = frame(page).getByRole('searchbox', { name: 'Search the help' })
    await search.fill('latchd')
    await frame(page)
      .getByRole('link', { name: /^Latched/ })
      .click()
    await expect(title(page)).toHaveText('Marks and clocks of events')
    await expect(page).toHaveURL(`${product.baseUrl}/help?page=marks-and-clocks&section=latched`)

    await frame(page).getByRole('navigation', { name: 'Help pages' }).getByRole('link', { name: 'The map' }).click()
    await expect(page).toHaveURL(`${product.baseUrl}/help?page=map`)
    await page.goBack()
    await expect(title(page)).toHaveText('Marks and clocks of events')
    await page.getByRole('link', { name: 'Help', exact: true }).click()
    await expect(title(page)).toHaveText('First steps')

    await search.fill('close event')
    await expect(frame(page).locator('#found a').first()).toContainText(/^Closing an event/)

    // Every call of the API is found as well.
    await search.fill('createExport')
    await frame(page)
      .getByRole('link', { name: /^POST \/api\/export/ })
      .click()
    await expect(frame(page).getByRole('heading', { name: 'POST /api/export' })).toBeVisible()
  })

  test('a link opens a page of it, in the theme of the console, at every width, without a violation of axe', async ({
    pageOf,
  }) => {
    const page = await pageOf('customer')
    await page.goto('/help?page=statuses&section=severity')
    await expect(title(page)).toHaveText('Statuses and colours')
    await expect(frame(page).getByRole('heading', { name: 'Severity' })).toBeInViewport()
    for (const theme of ['light', 'dark'] as const) {
      if (theme === 'dark') await page.getByRole('button', { name: 'Switch to dark theme' }).click()
      await expect(frame(page).locator('html')).toHaveAttribute('data-mantine-color-scheme', theme)
      for (const width of [1440, 1024, 390]) {
        await page.setViewportSize({ width, height: 844 })
        for (const within of [page.locator('html'), frame(page).locator('html')]) {
          const overflow = () => within.evaluate((root) => root.scrollWidth - root.clientWidth)
          await expect.poll(overflow, { message: `${width} px, ${theme}`, intervals: [50] }).toBeLessThanOrEqual(0)
        }
      }
      expect(await objections(page)).toEqual([])
      // The same page by itself: the check of the console does not look into frames.
      const own = await page.context().newPage()
      await own.goto(`/help-site/statuses.html?theme=${theme}`)
      expect(await objections(own)).toEqual([])
      await own.close()
    }
  })

  test('help that cannot be loaded says so, and can be tried again', async ({ pageOf }) => {
    const page = await pageOf('customer')
    await page.route('**/help-site/**', (route) => route.fulfill({ status: 503, body: 'Away' }))
    await page.goto('/help')
    await expect(page.getByRole('alert')).toContainText(FAILED)
    await page.unroute('**/help-site/**')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(title(page)).toHaveText('First steps')
  })
})
