import { readFileSync } from 'node:fs'
import { DEMO_PASSWORD, expect, people, test } from '../../fixtures.ts'

test.describe('signing in and out', () => {
  test('signing in returns to the remembered page', async ({ page }) => {
    await page.goto('/events?keyword=helix')
    await expect(page).toHaveURL(/\/login/)
    await page.getByLabel(/user id/i).fill(people.support)
    await page.getByLabel('Password', { exact: true }).fill('wrong')
    await page.getByRole('button', { name: /^(sign in|log in|login)$/i }).click()
    await expect(page.getByText('Incorrect username or password')).toBeVisible()
    await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD)
    await page.getByRole('button', { name: /^(sign in|log in|login)$/i }).click()
    await expect(page).toHaveURL(/\/events\?.*keyword=helix/)
    await expect(page.getByRole('heading', { name: 'Service Events' })).toBeVisible()

    // A reload signs in again by the cookie; nothing of a token is kept in the browser's storage.
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Service Events' })).toBeVisible()
    const stored = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))
    expect(stored).not.toMatch(/eyJ/)
  })

  test('signing out asks once and ends the session in every tab', async ({ pageOf }) => {
    const page = await pageOf('support')
    await page.goto('/events')
    const secondTab = await page.context().newPage()
    await secondTab.goto('/events')
    await expect(secondTab.getByRole('heading', { name: 'Service Events' })).toBeVisible()
    await page
      .getByRole('button', { name: /user menu|support/i })
      .first()
      .click()
    const manifest = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')
    const { version } = JSON.parse(manifest) as { version: string }
    await expect(page.getByText(`Version ${version} · prod`)).toBeVisible()
    await page.getByRole('menuitem', { name: 'Logout' }).click()
    await expect(page.getByText('Are you sure you want to log out?')).toBeVisible()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByRole('heading', { name: 'Service Events' })).toBeVisible()
    await page
      .getByRole('button', { name: /user menu|support/i })
      .first()
      .click()
    await page.getByRole('menuitem', { name: 'Logout' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Logout' }).click()
    await expect(page).toHaveURL(/\/login/)
    await expect(secondTab).toHaveURL(/\/login/)
  })
})
