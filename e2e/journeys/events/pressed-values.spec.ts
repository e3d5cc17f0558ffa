import type { Page } from '@playwright/test'
import { type Account, expect, test } from '../../fixtures.ts'
import { expectGoodLook } from '../../look.ts'

const rows = (page: Page) => page.locator('tbody tr[data-row]')
const chips = (page: Page) => page.getByRole('list', { name: 'Applied filters' })
const numbers = (page: Page) => rows(page).locator('a[data-action="open"]').allTextContents()

/** The oldest events first, which no journey has raised: they have customers and instruments of the demo. */
async function openList(page: Page): Promise<void> {
  await page.goto('/events?start=2020-01-01&order=ASC')
  await expect(rows(page).first()).toBeVisible()
}

async function expectLoaded(page: Page): Promise<void> {
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
}

async function signIn(page: Page, account: Account): Promise<void> {
  const answer = await page.context().request.post('/api/auth/sign-in', { data: account })
  expect(answer.status(), await answer.text()).toBe(200)
}

test.describe('a value that is pressed where it is shown', () => {
  test('filters by a customer, excludes a severity with Alt, and a saved view keeps both for another session', async ({
    browser,
    product,
    account,
  }) => {
    const options = { baseURL: product.baseUrl, viewport: { width: 1440, height: 900 } }
    const page = await (await browser.newContext(options)).newPage()
    await signIn(page, account)
    await openList(page)

    const customer = rows(page)
      .getByTitle(/^Filter by customer: /)
      .first()
    const name = (await customer.textContent()) ?? ''
    await customer.focus()
    await page.keyboard.press('Alt+Enter')
    await expect(chips(page)).toContainText(`Customer not ${name}`)
    await expectLoaded(page)
    await expect(rows(page).getByTitle(`Filter by customer: ${name}. Alt: exclude.`)).toHaveCount(0)
    await chips(page)
      .getByRole('button', { name: `Remove filter Customer: not ${name}` })
      .click()
    await expect(page.getByText('No filters selected.')).toBeVisible()
    await expectLoaded(page)

    await customer.click()
    await expect(chips(page)).toContainText(`Customer ${name}`)
    await expectLoaded(page)
    for (const row of await rows(page).all()) await expect(row).toContainText(name)
    // The press neither opens nor selects nor expands its row.
    await expect(page).toHaveURL(/\/events\?.*filters=enterpriseName%3D/)
    await expect(rows(page).getByRole('checkbox', { checked: true })).toHaveCount(0)
    await expect(rows(page).getByRole('button', { expanded: true })).toHaveCount(0)

    await rows(page)
      .first()
      .getByTitle(/^Filter by severity: Low/)
      .or(rows(page).getByTitle(/^Filter by severity: /))
      .first()
      .click({ modifiers: ['Alt'] })
    await expect(chips(page)).toContainText('Severity not ')
    await expect(page).toHaveURL(/filters=severity!%3D(high|medium|low)%3BenterpriseName%3D/)
    await expectLoaded(page)
    const excluded = /severity!%3D(\w+)/.exec(page.url())?.[1]
    await expect(rows(page).first()).toBeVisible()
    await expect(rows(page).locator(`[data-severity="${excluded}"]`)).toHaveCount(0)
    await expectGoodLook(page, 'pressed-values')

    await page.getByRole('button', { name: /^View(s|:)/ }).click()
    const views = page.getByRole('dialog', { name: 'Views' })
    await views.getByRole('button', { name: 'Save as…' }).click()
    await views.getByLabel('Name').fill('Pressed')
    await views.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page.getByRole('button', { name: 'View: Pressed', exact: true })).toBeVisible()

    const other = await (await browser.newContext(options)).newPage()
    await signIn(other, account)
    await openList(other)
    await other.getByRole('button', { name: 'Views', exact: true }).click()
    await other
      .getByRole('dialog', { name: 'Views' })
      .getByRole('button', { name: /^Pressed/ })
      .first()
      .click()
    await expect(chips(other)).toContainText('Severity not ')
    await expect(chips(other)).toContainText(`Customer ${name}`)
    await expectLoaded(other)
    expect(await numbers(other)).toEqual(await numbers(page))
  })

  test('opens, from the page of an event, the open events that share it, and from that of an instrument, similar instruments', async ({
    pageOf,
  }) => {
    const page = await pageOf('support')
    await openList(page)
    await rows(page).locator('a[data-action="open"]').first().click()
    const customer = page.getByRole('region', { name: 'Customer' }).getByTitle(/^Open events with customer: /)
    const name = (await customer.textContent()) ?? ''
    await expectGoodLook(page, 'pressed-on-event')
    await customer.click()
    await expect(page).toHaveURL(/\/events\?.*alertStatus=1_NEW,2_IN_PROGRESS&filters=enterpriseName%3D/)
    await expect(chips(page)).toContainText(`Customer ${name}`)
    await expectLoaded(page)
    for (const row of await rows(page).all()) await expect(row.getByRole('img', { name: 'Closed' })).toHaveCount(0)

    await page.goto('/instruments')
    await rows(page).locator('a[data-action="open"]').first().click()
    const city = page.getByTitle(/^Instruments with city: /).first()
    const place = (await city.getAttribute('data-value')) ?? ''
    await expectGoodLook(page, 'pressed-on-instrument')
    await city.click()
    await expect(chips(page)).toContainText(`City ${place}`)
    await expectLoaded(page)
    for (const row of await rows(page).all()) await expect(row).toContainText(place)
    await rows(page)
      .first()
      .getByTitle(/^Filter by customer: /)
      .click({ modifiers: ['Alt'] })
    await expect(chips(page)).toContainText('Customer not ')
  })
})
