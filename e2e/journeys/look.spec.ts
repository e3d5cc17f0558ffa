import type { Page } from '@playwright/test'
import { extractText, getDocumentProxy } from 'unpdf'
import { expect, test } from '../fixtures.ts'
import { expectGoodLook } from '../look.ts'

test('every screen at three widths, in both themes: nothing cut off, nothing that axe objects to', async ({
  pageOf,
  browser,
  product,
}) => {
  const page = await pageOf('support')
  const shoot = (name: string, within?: string) => expectGoodLook(page, name, { ...(within && { within }) })
  await page.goto('/events')
  await expect(page.locator('tbody tr[data-row]').first()).toBeVisible()
  await shoot('events')
  await page
    .getByRole('button', { name: /^Expand/ })
    .first()
    .click()
  await expect(page.getByRole('link', { name: 'Event details' })).toBeVisible()
  await shoot('events-expanded', 'main')
  await page.getByRole('link', { name: /^ORC-/ }).first().click()
  await expect(page.getByRole('region', { name: 'History' }).getByRole('listitem').first()).toBeVisible()
  await shoot('details')
  await page.getByRole('link', { name: 'Why did I (not) get this?' }).click()
  await expect(page.getByRole('region', { name: 'All Events' }).getByRole('row').first()).toBeVisible()
  await shoot('why')
  await page.goto('/notifications')
  await expect(page.getByRole('row').nth(1)).toContainText('ORC-')
  await shoot('notifications')
  await page.goto('/instruments')
  await expect(page.locator('tbody tr[data-row]').first()).toBeVisible()
  await shoot('instruments')
  await page
    .getByRole('button', { name: /^Expand/ })
    .first()
    .click()
  await expect(page.getByRole('link', { name: 'More Detail' })).toBeVisible()
  await shoot('instruments-expanded', 'main')
  await page.goto('/settings')
  await expect(page.getByRole('heading').first()).toBeVisible()
  await shoot('settings')
  await page.goto('/settings/account')
  await expect(page.getByRole('heading').first()).toBeVisible()
  await shoot('settings-account')
  await page.goto('/settings/webhooks/new')
  await expect(page.getByRole('heading').first()).toBeVisible()
  await shoot('settings-webhook')
  await page.goto('/nowhere')
  await expect(page.getByRole('heading').first()).toBeVisible()
  await shoot('not-found')
  const anonymous = await browser.newContext({
    baseURL: product.baseUrl,
  })
  const login = await anonymous.newPage()
  await login.goto('/login')
  await expect(login.getByRole('button', { name: /^(sign in|log in|login)$/i })).toBeVisible()
  await expectGoodLook(login, 'login')
  await anonymous.close()
})

test('in forced colours what is chosen and the status of an instrument keep a sign', async ({ pageOf }) => {
  const page = await pageOf('support')
  await page.emulateMedia({ forcedColors: 'active' })
  await page.goto('/events?quick=noOwner')
  await expect(page.locator('tbody tr[data-row]').first()).toBeVisible()
  const groundOf = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => getComputedStyle(element).backgroundColor)
  for (const [chosen, other] of [
    ['nav[aria-label="Areas"] a[aria-current]', 'nav[aria-label="Areas"] a:not([aria-current])'],
    ['nav[aria-label="Pages"] button[aria-current]', 'nav[aria-label="Pages"] button:not([aria-current])'],
    ['fieldset button[aria-pressed="true"]', 'fieldset button[aria-pressed="false"]'],
    ['.mantine-SegmentedControl-label[data-active]', '.mantine-SegmentedControl-label:not([data-active])'],
  ] as const)
    expect(await groundOf(chosen), chosen).not.toBe(await groundOf(other))
  const dot = page.getByRole('img', { name: /^Instrument status: (ready|method run|running|wash)$/ }).first()
  const ground = await dot.evaluate((element) => getComputedStyle(element).backgroundColor)
  expect(ground).not.toBe(await page.evaluate(() => getComputedStyle(document.body).backgroundColor))
})

test('on paper a list and an event are sheets: what narrows them and when they were printed, every row, no controls', async ({
  pageOf,
}) => {
  const page = await pageOf('support')
  const printed = () => sheetsOf(page)
  await page.goto('/events?pageSize=50&filters=severity=high,medium')
  const rows = page.locator('tbody tr[data-row]')
  await expect(rows).toHaveCount(50)
  const names = await rows.getByRole('link').allTextContents()
  const list = await printed()
  expect(list[0]).toMatch(/Benchwatch.*Printed \d{1,2}-[A-Z][a-z]{2}-\d{4} \d\d:\d\d, Europe\/Stockholm/s)
  expect(list[0]).toContain('High, Medium')
  for (const name of names) expect(list.join('\n')).toContain(name)
  expect(
    list.filter((text) => /^\s*(\d+ of \d+\s*)?$/.test(text)),
    'empty sheets',
  ).toEqual([])
  // The head of the table is on each sheet that has rows.
  for (const sheet of list.filter((text) => text.includes('ORC-'))) expect(sheet).toContain('Description')
  for (const control of ['Export', 'Columns', '/ page', 'Clear all', 'Search events']) {
    expect(list.join('\n')).not.toContain(control)
  }

  await rows.getByRole('link').last().click()
  await expect(page.getByRole('region', { name: 'History' }).getByRole('listitem').first()).toBeVisible()
  const prior = page.getByRole('region', { name: 'Prior Event Notification' }).getByRole('listitem')
  await expect(page.getByText('Loading prior events…')).toHaveCount(0)
  const priorNames = await prior.getByRole('link').allTextContents()
  const event = (await printed()).join('\n')
  // The card of the customer opens with the customer; a reason for closing has that word too.
  const parts = [/What happened/, /Customer\s+Customer/, /Prior Event Notification/, /History/]
  const order = parts.map((part) => event.search(part))
  expect(order).toEqual(order.toSorted((a, b) => a - b))
  expect(order).not.toContain(-1)
  expect(event).toMatch(/Status\s+(New|In progress|Closed)\s+Owner\s+/)
  for (const name of priorNames) expect(event).toContain(name)
  for (const control of ['View Logs', 'Share', 'Close event', 'Show 10']) expect(event).not.toContain(control)
})

test('on paper an instrument has all its components, and none of the controls', async ({ pageOf }) => {
  const page = await pageOf('support')
  await page.goto('/instruments?keyword=pure')
  await page.locator('tbody a[href^="/instruments/"]').first().click()
  const components = page.getByRole('list', { name: 'Components' }).getByRole('listitem')
  await expect(components.nth(8)).toBeAttached()
  const names = await components.evaluateAll((rows) => rows.map((row) => row.querySelector('bdi')?.textContent ?? ''))
  const instrument = (await sheetsOf(page)).join('\n')
  expect(names).not.toContain('')
  for (const name of names) expect(instrument).toContain(name)
  for (const control of ['30 days', 'Last month', 'Show as table', 'View report', 'Search components'])
    expect(instrument).not.toContain(control)
})

/** Prints the page and returns the text of each sheet. */
async function sheetsOf(page: Page): Promise<string[]> {
  const pdf = await getDocumentProxy(new Uint8Array(await page.pdf({ preferCSSPageSize: true })))
  return (await extractText(pdf)).text
}
