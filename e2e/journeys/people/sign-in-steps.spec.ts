import { DEMO_PASSWORD, expect, people, signInOn, test } from '../../fixtures.ts'

const OWN = 'Calm-bench-0417!'

test.describe('signing in by steps', () => {
  test('a code by text message: a wrong one, then the right one, and in', async ({ page, outbox }) => {
    // For five seconds no other code can be asked for, however long the text message takes.
    await page.clock.setFixedTime(Date.now())
    await page.goto('/events')
    const first = await outbox.codeAfter(() => signInOn(page, { userId: people.mfa, password: DEMO_PASSWORD }), 'sms')
    await expect(page.getByRole('timer')).toHaveText(/^Valid for [32]:\d\d$/)
    const resend = page.getByRole('button', { name: /^Send a new code/ })
    await expect(resend).toBeDisabled()
    await expect(resend).toHaveText(/in \d s$/)
    // The last digit sends it.
    await page.keyboard.type(first === '000000' ? '111111' : '000000')
    await expect(page.getByRole('alert')).toHaveText('Incorrect verification code.')

    await page.keyboard.type(first)
    await expect(page.getByRole('heading', { name: 'Service Events' })).toBeVisible()
  })

  test('a password that another user set is replaced at the first sign-in, which leads to the settings', async ({
    page,
  }) => {
    await page.goto('/events?keyword=helix')
    await signInOn(page, { userId: people.new, password: DEMO_PASSWORD })
    await page.getByLabel('New password', { exact: true }).fill(OWN)
    await page.getByLabel('Repeat new password').fill(`${OWN}x`)
    await expect(page.getByText("Passwords don't match")).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(page.getByLabel('Repeat new password')).toBeFocused()
    await page.getByLabel('Repeat new password').fill(OWN)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/settings$/)
    await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
  })

  test('a forgotten password is replaced with a code sent by e-mail', async ({ page, outbox, account }) => {
    await page.goto('/login')
    await page.getByLabel('User ID').fill(account.userId)
    await page.getByRole('button', { name: 'Forgot password?' }).click()
    await expect(page.getByLabel('E-mail')).toHaveValue(account.userId)
    const code = await outbox.codeAfter(() => page.getByRole('button', { name: 'Send code' }).click(), 'email')
    await page.getByLabel('Verification code').fill(code === '000000' ? '111111' : '000000')
    await page.getByLabel('New password', { exact: true }).fill(OWN)
    await page.getByLabel('Repeat new password').fill(OWN)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alert')).toHaveText('Incorrect verification code.')
    await page.getByLabel('Verification code').fill(code)
    await page.getByRole('button', { name: 'Change password' }).click()
    await expect(page.getByText('Password changed')).toBeVisible()
    await expect(page.getByLabel('User ID')).toHaveValue(account.userId)
    await page.getByLabel('Password', { exact: true }).fill(OWN)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Service Events' })).toBeVisible()
  })

  test('who guesses is stopped, whether or not there is such a user', async ({ page }) => {
    await page.goto('/login')
    const failures: string[] = []
    for (let attempt = 0; attempt < 6; attempt += 1) {
      const answered = page.waitForResponse('**/api/auth/sign-in')
      await signInOn(page, { userId: 'nobody@benchwatch.example', password: `Guess-${attempt}-2026!` })
      await answered
      await expect(page.getByRole('button', { name: 'Login' })).not.toHaveAttribute('data-loading')
      failures.push((await page.getByRole('alert').textContent()) ?? '')
    }
    expect(new Set(failures.slice(0, 4))).toEqual(new Set(['Incorrect username or password']))
    expect(failures.at(-1)).toBe('Password attempts exceeded.')
  })
})
