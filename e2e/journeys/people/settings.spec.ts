import type { Page } from '@playwright/test'
import { type Account, expect, signInOn, test } from '../../fixtures.ts'
import { expectGoodLook } from '../../look.ts'
import { totpCode } from '../../totp.ts'

const OWN = 'Calm-bench-0417!'

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

async function openSettings(page: Page, account: Account) {
  await page.goto('/settings/account')
  await signInOn(page, account)
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
}

async function logOut(page: Page) {
  await page.getByRole('button', { name: /user menu/ }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByLabel('User ID')).toBeVisible()
}

test.describe('the settings of one’s own account', () => {
  test('a password is changed with the current one, which signs out everywhere else', async ({
    page,
    browser,
    account,
    product,
  }) => {
    const elsewhere = await (await browser.newContext({ baseURL: product.baseUrl })).newPage()
    await openSettings(elsewhere, account)
    await openSettings(page, account)
    const sessions = card(page, 'Signed-in sessions').getByRole('listitem')
    await expect(sessions).toHaveCount(2)

    const password = card(page, 'Password')
    await password.getByRole('button', { name: 'Change password' }).click()
    await password.getByLabel('Current password').fill('Wrong-bench-0417!')
    await password.getByLabel('New password', { exact: true }).fill(OWN)
    await password.getByLabel('Repeat new password').fill(OWN)
    await page.keyboard.press('Enter')
    await expect(password.getByRole('alert')).toHaveText('Incorrect password.')
    await password.getByLabel('Current password').fill(account.password)
    await password.getByRole('button', { name: 'Change password' }).click()
    await expect(page.getByText('You have been signed out everywhere else.')).toBeVisible()
    await expect(sessions).toHaveCount(1)
    await expect(elsewhere.getByLabel('User ID')).toBeVisible()

    await logOut(page)
    await signInOn(page, { userId: account.userId, password: OWN })
    await expect(page.getByRole('heading', { name: 'Service Events' })).toBeVisible()
    await elsewhere.context().close()
  })

  test('an authenticator app is set up, required, replaced once by a recovery code, and removed', async ({
    page,
    account,
  }) => {
    await openSettings(page, account)
    const factors = card(page, 'Second factor')
    await factors.getByRole('button', { name: 'Set up' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Your password').fill(account.password)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await expect(dialog.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
    const secret = ((await dialog.locator('code').textContent()) ?? '').replaceAll(' ', '')
    await dialog.getByRole('textbox', { name: 'Code' }).fill(totpCode(secret))
    const recoveryCodes = dialog.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
    await expect(recoveryCodes).toHaveCount(10)
    const codes = await recoveryCodes.allTextContents()
    await dialog.getByRole('button', { name: 'I have saved them' }).click()
    await expect(factors.getByText('10 left')).toBeVisible()

    await logOut(page)
    await signInOn(page, account)
    // Each step of 30 s counts once; the next one is good already, for clocks differ.
    await page.getByRole('textbox', { name: 'Code' }).fill(totpCode(secret, 1))
    await expect(page.getByRole('heading', { name: 'Service Events' })).toBeVisible()

    await logOut(page)
    await signInOn(page, account)
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
    await page.getByRole('textbox', { name: 'Recovery code' }).fill(codes[0] ?? '')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Service Events' })).toBeVisible()
    await page.goto('/settings/account')
    await expect(factors.getByText('9 left')).toBeVisible()

    await factors.getByRole('button', { name: 'New codes' }).click()
    await dialog.getByLabel('Your password').fill(account.password)
    await page.keyboard.press('Enter')
    await expect(recoveryCodes).toHaveCount(10)
    expect((await recoveryCodes.allTextContents()).filter((code) => codes.includes(code))).toEqual([])
    await dialog.getByRole('button', { name: 'I have saved them' }).click()

    await factors.getByRole('button', { name: 'Remove' }).click()
    await dialog.getByLabel('Your password').fill(account.password)
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await expect(factors.getByRole('button', { name: 'Set up' })).toBeVisible()
  })

  test('a calendar is subscribed to by its link, which is shown once, and read no more once it is revoked', async ({
    page,
    account,
    product,
    request,
  }) => {
    await openSettings(page, account)
    const calendars = card(page, 'Calendars')
    await calendars.getByRole('button', { name: 'New calendar' }).click()
    const dialog = page.getByRole('dialog', { name: 'New calendar' })
    await dialog.getByLabel('Name').fill('Laboratory')
    await expectGoodLook(page, 'calendar-dialog')
    await dialog.getByRole('button', { name: 'Create calendar' }).click()
    const shown = page.getByRole('dialog', { name: 'Link of “Laboratory”' })
    const link = new URL((await shown.locator('code').textContent()) ?? '')
    await shown.getByLabel(/I have saved it/).check()
    await shown.getByRole('button', { name: 'Done' }).click()
    await expect(calendars.getByText('Never read')).toBeVisible()

    const read = () => request.get(`${product.baseUrl}${link.pathname}`)
    const file = await read()
    expect([file.status(), file.headers()['content-type']]).toEqual([200, 'text/calendar; charset=utf-8'])
    expect(await file.text()).toContain('SUMMARY:Next service: ')
    await page.reload()
    await expect(calendars.getByText('Last read')).toBeVisible()
    await expectGoodLook(page, 'calendars')
    await calendars.getByRole('button', { name: 'Revoke Laboratory' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await expect(calendars.getByText('Last read')).toBeHidden()
    expect((await read()).status()).toBe(404)
  })
})
