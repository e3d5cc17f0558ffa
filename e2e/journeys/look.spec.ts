import { expect, test } from '../fixtures.ts'
import { BETWEEN, expectGoodLook, expectNoObjections } from '../look.ts'

for (const width of [1440, BETWEEN, 390]) {
  test(`every screen at ${width} px, in both themes: nothing cut off, nothing that axe objects to`, async ({
    pageOf,
    browser,
    product,
  }) => {
    test.setTimeout(120_000)
    const page = await pageOf('support', { width })
    const shoot = async (name: string) => {
      await expectGoodLook(page, name)
      if (width === BETWEEN) await expectNoObjections(page)
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
      viewport: { width, height: 900 },
    })
    const login = await anonymous.newPage()
    await login.goto('/login')
    await expect(login.getByRole('button', { name: /^(sign in|log in|login)$/i })).toBeVisible()
    await expectGoodLook(login, 'login')
    await anonymous.close()
  })
}
