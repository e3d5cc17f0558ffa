import { expect, test } from '../fixtures.ts'
import { BETWEEN, expectGoodLook, expectNoObjections } from '../look.ts'

test('every screen at three widths, in both themes: nothing cut off, nothing that axe objects to', async ({
  pageOf,
  browser,
  product,
}) => {
  test.setTimeout(300_000)
  const page = await pageOf('support')
  const shoot = async (name: string, shown = page) => {
    for (const width of [390, BETWEEN, 1440]) {
      await shown.setViewportSize({ width, height: 900 })
      await expectGoodLook(shown, name)
      if (width === BETWEEN && shown === page) await expectNoObjections(page)
    }
  }
  await page.goto('/events')
  await expect(page.locator('tbody tr[data-row]').first()).toBeVisible()
  await shoot('events')
  await page
    .getByRole('button', { name: /^Expand/ })
    .first()
    .click()
  await expect(page.getByRole('link', { name: 'Event details' })).toBeVisible()
  await shoot('events-expanded')
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
  await shoot('instruments-expanded')
  await page.goto('/settings')
  await expect(page.getByRole('heading').first()).toBeVisible()
  await shoot('settings')
  await page.goto('/settings/account')
  await expect(page.getByRole('heading').first()).toBeVisible()
  await shoot('settings-account')
  await page.goto('/nowhere')
  await expect(page.getByRole('heading').first()).toBeVisible()
  await shoot('not-found')
  const anonymous = await browser.newContext({
    baseURL: product.baseUrl,
  })
  const login = await anonymous.newPage()
  await login.goto('/login')
  await expect(login.getByRole('button', { name: /^(sign in|log in|login)$/i })).toBeVisible()
  await shoot('login', login)
  await anonymous.close()
})
