import type { Browser, BrowserContext, Page } from '@playwright/test'
import { type Account, expect, test } from '../../fixtures.ts'
import { expectGoodLook } from '../../look.ts'
import type { Product } from '../../product.ts'

/** A browser of somebody whom no other test knows: a default view changes how every list of theirs opens. */
async function browserOf({
  browser,
  product,
  account,
}: {
  browser: Browser
  product: Product
  account: Account
}): Promise<BrowserContext> {
  const viewport = { width: 1440, height: 900 }
  const context = await browser.newContext({ baseURL: product.baseUrl, viewport, reducedMotion: 'reduce' })
  const answer = await context.request.post('/api/auth/sign-in', { data: account })
  expect(answer.status(), await answer.text()).toBe(200)
  return context
}

const menu = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const panel = (page: Page) => page.getByRole('dialog', { name: 'Views' })
const rows = (page: Page) => page.locator('tbody tr[data-row]')
/** A toast may still lie over what comes next; it says which view it is about. */
const toast = (page: Page, text: string) => expect(page.getByText(text, { exact: true })).toBeVisible()

async function saveAs(page: Page, name: string, options: { shared?: boolean; isDefault?: boolean } = {}) {
  await page.getByRole('button', { name: /^View(s|:)/ }).click()
  await panel(page).getByRole('button', { name: 'Save as…' }).click()
  await panel(page).getByLabel('Name').fill(name)
  if (options.shared)
    await panel(page)
      .getByLabel(/^Share with colleagues/)
      .check()
  if (options.isDefault) await panel(page).getByLabel('Open the list with this view').check()
  await panel(page).getByRole('button', { name: 'Save', exact: true }).click()
  await toast(page, `View “${name}” saved`)
  await expect(menu(page, `View: ${name}`)).toBeVisible()
}

test.describe('saved views', () => {
  test('a named set of filters, keyword, range kind, sort and columns; the URL still says everything', async ({
    browser,
    product,
    account,
  }) => {
    const context = await browserOf({ browser, product, account })
    const page = await context.newPage()
    await page.goto(
      '/events?filters=severity%3Dhigh,medium&keyword=a&orderBy=enterpriseName&columns=eventId,customer,age',
    )
    await expect(rows(page).first()).toBeVisible()
    await page.getByRole('button', { name: /^Date range/ }).click()
    await page.getByRole('button', { name: 'Last 30 days' }).click()
    await expect(page).toHaveURL(/start=/)
    await saveAs(page, 'High & <b>medium</b> مراقبة 監視')
    const address = page.url()

    await menu(page, 'View: High & <b>medium</b> مراقبة 監視').click()
    await expect(panel(page).getByRole('list', { name: 'Views', exact: true }).getByRole('listitem')).toContainText(
      'Last 30 days',
    )
    await panel(page).getByRole('button', { name: 'Reset to default list' }).click()
    await expect(page).toHaveURL(/\/events$/)
    await expect(page.getByRole('columnheader', { name: 'Severity' })).toBeVisible()

    await menu(page, 'Views').click()
    await panel(page)
      .getByRole('button', { name: /^High & / })
      .first()
      .click()
    await expect(page).toHaveURL(address)
    await expect(page.getByRole('columnheader', { name: 'Severity' })).toHaveCount(0)

    // A copy of the address shows the same to somebody without the view.
    const elsewhere = await (await browserOf({ browser, product, account })).newPage()
    await elsewhere.goto(address)
    await expect(rows(elsewhere).first()).toBeVisible()
    const names = await rows(elsewhere).locator('a[data-action="open"]').allTextContents()
    await expect(rows(page).locator('a[data-action="open"]')).toHaveText(names)
    await elsewhere.context().close()
    await context.close()
  })

  test('private or shared within the scope; changed, renamed, withdrawn and deleted by its owner', async ({
    browser,
    product,
    account,
    pageOf,
  }) => {
    const context = await browserOf({ browser, product, account })
    const page = await context.newPage()
    await page.goto('/events?filters=severity%3Dhigh')
    await expect(rows(page).first()).toBeVisible()
    await saveAs(page, `Night shift ${account.userId}`, { shared: true })

    const colleague = await pageOf('service')
    await colleague.goto('/events')
    await menu(colleague, 'Views').click()
    const shared = panel(colleague).getByRole('listitem').filter({ hasText: account.userId })
    await expect(shared).toContainText('Ada Own')
    await expect(shared.getByRole('button', { name: /^Edit/ })).toHaveCount(0)
    await shared.getByRole('button', { name: /^Night shift/ }).click()
    await expect(colleague).toHaveURL(/filters=severity%3Dhigh/)

    const customer = await pageOf('customer')
    await customer.goto('/events')
    await menu(customer, 'Views').click()
    await expect(panel(customer).getByRole('button', { name: 'Save as…' })).toBeVisible()
    await expect(panel(customer).getByText(account.userId)).toHaveCount(0)

    // Changed: said at the button, kept by 'Update'.
    await page.getByRole('button', { name: /^No owner 2 hrs|No owner 2 hrs/ }).click()
    await menu(page, `View: Night shift ${account.userId} changed`).click()
    await panel(page)
      .getByRole('button', { name: /^Update “/ })
      .click()
    await toast(page, `View “Night shift ${account.userId}” updated`)
    await expect(menu(page, `View: Night shift ${account.userId}`)).toBeVisible()

    await menu(page, `View: Night shift ${account.userId}`).click()
    await panel(page)
      .getByRole('button', { name: /^Edit view Night shift/ })
      .click()
    await panel(page).getByLabel('Name').fill(`Day shift ${account.userId}`)
    await panel(page)
      .getByLabel(/^Share with colleagues/)
      .uncheck()
    await panel(page).getByRole('button', { name: 'Save', exact: true }).click()
    await toast(page, `View “Day shift ${account.userId}” updated`)
    await colleague.reload()
    await colleague.getByRole('button', { name: /^Views$/ }).click()
    await expect(panel(colleague).getByRole('button', { name: 'Save as…' })).toBeVisible()
    await expect(panel(colleague).getByText(account.userId)).toHaveCount(0)

    await panel(page)
      .getByRole('button', { name: /^Edit view Day shift/ })
      .click()
    await panel(page).getByRole('button', { name: 'Delete…' }).click()
    await page.getByRole('button', { name: 'Delete view' }).click()
    await toast(page, `View “Day shift ${account.userId}” deleted`)
    await menu(page, 'Views').click()
    await expect(panel(page).getByRole('list', { name: 'Views', exact: true }).getByRole('listitem')).toHaveCount(0)
    await context.close()
  })

  test('nothing cut off, nothing that axe objects to, in both themes', async ({ browser, product, account }) => {
    const context = await browserOf({ browser, product, account })
    const page = await context.newPage()
    const shoot = (name: string) => expectGoodLook(page, name, { within: '[role=dialog]', inSight: panel(page) })
    await page.goto('/events')
    await expect(rows(page).first()).toBeVisible()
    await menu(page, 'Views').click()
    await expect(panel(page).getByRole('button', { name: 'Save as…' })).toBeVisible()
    await shoot('views-none')

    for (const [place, name] of [
      'My region',
      'Open, high, and mine alone',
      '監視ビュー',
      'مراقبة',
      'Idle',
      'Low',
    ].entries()) {
      const state = {
        filters: { severity: ['high', 'low'].slice(0, (place % 2) + 1) },
        keyword: place === 4 ? 'pump' : '',
      }
      const { accessToken } = (await (
        await context.request.post('/api/auth/refresh', { data: { idleSeconds: 0 } })
      ).json()) as { accessToken: string }
      const saved = await context.request.post('/api/views', {
        headers: { authorization: `Bearer ${accessToken}` },
        data: { area: 'events', name, shared: false, isDefault: place === 0, state },
      })
      expect(saved.status(), await saved.text()).toBe(201)
    }
    await page.goto('/events?filters=severity%3Dhigh')
    await expect(rows(page).first()).toBeVisible()
    await page.getByRole('button', { name: /^View:/ }).click()
    await panel(page)
      .getByRole('button', { name: /^My region/ })
      .click()
    await page.getByRole('button', { name: 'Page 2', exact: true }).click()
    await page.getByTitle('Sort by customer').click()
    await menu(page, 'View: My region changed').click()
    await shoot('views-list')
    await panel(page).getByRole('button', { name: 'Edit view My region' }).click()
    await shoot('views-form')
    await context.close()
  })
})
