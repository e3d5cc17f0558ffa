import type { Locator, Page } from '@playwright/test'
import { expect, test } from '../../fixtures.ts'
import { expectGoodLook } from '../../look.ts'

const rows = (page: Page) => page.locator('tbody tr[data-row]')
const describeButton = (row: Locator) => row.locator('[data-action="describe"]')
const dropdown = (page: Page) => page.getByRole('dialog', { name: /^Description of ORC-/ })
const chooser = (page: Page) => page.getByRole('button', { name: /^Columns/ })
const heads = (page: Page) => page.getByRole('columnheader')

async function openList(page: Page, address = '/events'): Promise<void> {
  await page.goto(address)
  await expect(rows(page).first()).toBeVisible()
}

/** The demo's edge issues: what gateways that fell silent raised. */
const edgeIssues = '/events?keyword=gateway%20reported&start=2020-01-01T00:00:00Z&temporaryFilters=true'

test.describe('the columns', () => {
  test('are shown, hidden and moved; the address says which, and this browser remembers', async ({ pageOf }) => {
    const page = await pageOf('service')
    await openList(page)
    await expect(heads(page)).toHaveCount(15)
    await chooser(page).click()
    await page.getByRole('checkbox', { name: 'Location' }).uncheck()
    await expect(heads(page).filter({ hasText: 'Location' })).toHaveCount(0)
    await page.getByRole('button', { name: 'Move Event up' }).click()
    await expect(page).toHaveURL(/columns=severity,eventId,age,/)
    await page.keyboard.press('Escape')
    await expect(chooser(page)).toBeFocused()
    await page.goto('/events')
    await expect(heads(page)).toHaveCount(14)
    await expect(page).toHaveURL(/columns=severity,eventId,age,/)
    await chooser(page).click()
    await page.getByRole('button', { name: 'Default columns' }).click()
    await expect(page).not.toHaveURL(/columns=/)
    await expect(heads(page)).toHaveCount(15)
  })
})

test('a row far below the window, which the browser skips until then, is found in the page and reached by a key', async ({
  pageOf,
}) => {
  const page = await pageOf('support')
  await openList(page, '/events?pageSize=100&start=2020-01-01T00:00:00Z&temporaryFilters=true')
  await expect(rows(page)).toHaveCount(100)
  const isSkipped = (row: Locator) =>
    row.getByRole('link').evaluate((link) => !link.checkVisibility({ contentVisibilityAuto: true }))
  // The browser decides it with the next frame.
  await expect.poll(() => isSkipped(rows(page).first())).toBe(false)
  await expect.poll(() => isSkipped(rows(page).last())).toBe(true)
  const name = await rows(page).last().getByRole('link').textContent()
  // The browser's own search; TypeScript does not know it.
  expect(await page.evaluate(`find('${name}')`)).toBe(true)
  await expect(rows(page).last()).toBeInViewport()

  // A row with selected text is not skipped.
  await page.evaluate(() => {
    getSelection()?.removeAllRanges()
    scrollTo(0, 0)
  })
  await expect.poll(() => isSkipped(rows(page).last())).toBe(true)
  await rows(page).nth(98).getByRole('link').focus()
  await page.keyboard.press('j')
  await expect(rows(page).last().getByRole('link')).toBeFocused()
  await expect(rows(page).last()).toBeInViewport({ ratio: 1 })
  // Safari cuts the lines of what a button contains, not those of a button.
  const isCutButton = (all: Element[]) => all.some((one) => getComputedStyle(one).webkitLineClamp !== 'none')
  expect(await rows(page).getByRole('button').evaluateAll(isCutButton)).toBe(false)
})

test('a dialog moves nothing of the page: what sticks to its top stays there', async ({ pageOf }) => {
  const page = await pageOf('support')
  await openList(page, '/events?pageSize=100&start=2020-01-01T00:00:00Z&temporaryFilters=true')
  await rows(page).last().scrollIntoViewIfNeeded()
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog')).toBeVisible()
  await expect(page.getByRole('banner')).toBeInViewport({ ratio: 1 })
  await page.getByRole('dialog').hover()
  await page.mouse.wheel(0, -500)
  // Two frames later, whatever the wheel scrolls has moved.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  await expect(rows(page).last()).toBeInViewport()
})

test('rows, selection, description and columns look well at each width, in both themes', async ({ pageOf }) => {
  const page = await pageOf('support')
  await openList(page, edgeIssues)
  await rows(page).nth(0).getByRole('checkbox').check()
  await rows(page).nth(2).getByRole('checkbox').check()
  await rows(page)
    .nth(1)
    .getByRole('button', { name: /^Expand/ })
    .click()
  await expect(page.getByRole('link', { name: 'Event details' })).toBeVisible()
  await expectGoodLook(page, 'rows-expanded', { within: 'main' })
  await describeButton(rows(page).nth(0)).click()
  await expect(dropdown(page).getByRole('link', { name: /^View connected/ })).toBeVisible()
  await expectGoodLook(page, 'rows-description', { within: '[role=dialog]', inSight: dropdown(page) })
  await page.keyboard.press('Escape')
  await chooser(page).click()
  await page.getByRole('checkbox', { name: 'Customer' }).uncheck()
  await expect(page).toHaveURL(/columns=/)
  await expectGoodLook(page, 'rows-columns', { within: '[role=dialog]' })
})
