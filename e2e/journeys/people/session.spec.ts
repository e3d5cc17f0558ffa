import type { Page } from '@playwright/test'
import { DEMO_PASSWORD, expect, people, signIn, signInOn, test } from '../../fixtures.ts'

const events = (page: Page) => page.getByRole('heading', { name: 'Service Events' })
/** The tab has noted that it is open, as it does every two seconds. */
const untilNoted = (page: Page) =>
  expect.poll(() => page.evaluate(() => localStorage.getItem('benchwatch.tabOpenAt'))).not.toBeNull()

test.describe('the session of a browser', () => {
  for (const { seconds, isEnded } of [
    { seconds: 11, isEnded: true },
    { seconds: 5, isEnded: false },
  ]) {
    test(`all tabs closed for ${seconds} s: ${isEnded ? 'signed out' : 'still signed in'} on reopening`, async ({
      pageOf,
    }) => {
      const page = await pageOf('service')
      await page.goto('/events')
      await expect(events(page)).toBeVisible()
      await untilNoted(page)
      const context = page.context()
      await page.close()
      // The clock of the browser moves on instead of the test waiting.
      await context.clock.install({ time: Date.now() + seconds * 1000 })
      const reopened = await context.newPage()
      await reopened.goto('/events')
      await expect(isEnded ? reopened.getByLabel('User ID') : events(reopened)).toBeVisible()
    })
  }

  test('a tab whose timers the browser stopped for ten minutes is still open', async ({ pageOf }) => {
    const page = await pageOf('service')
    await page.goto('/events')
    await expect(events(page)).toBeVisible()
    await untilNoted(page)
    await page.evaluate(() => {
      const newest = Number(setTimeout(() => undefined))
      for (let timer = 0; timer <= newest; timer += 1) clearInterval(timer)
      localStorage.setItem('benchwatch.tabOpenAt', String(Date.now() - 600_000))
    })
    const second = await page.context().newPage()
    await second.goto('/events')
    await expect(events(second)).toBeVisible()
    await expect(events(page)).toBeVisible()
  })

  test('a laptop that slept asks for a token first and goes on', async ({ pageOf }) => {
    const page = await pageOf('service')
    await page.clock.install()
    await page.goto('/events')
    await expect(page.locator('tbody tr[data-row]').first()).toBeVisible()
    const answered = page.waitForResponse('**/api/auth/refresh')
    const refused: string[] = []
    page.on('response', (response) => response.status() === 401 && refused.push(response.url()))
    await page.clock.fastForward('01:00:00')
    expect((await answered).status()).toBe(200)
    await page.getByTitle('Sort by customer').click()
    await expect(page).toHaveURL(/orderBy=enterpriseName/)
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
    await expect(page.locator('tbody tr[data-row]').first()).toBeVisible()
    expect(refused).toEqual([])
  })

  test('four hours without a click sign out in every tab, say so, and lead back afterwards', async ({ pageOf }) => {
    const page = await pageOf('service')
    const context = page.context()
    await context.clock.install()
    await page.goto('/events?keyword=helix')
    await expect(events(page)).toBeVisible()
    const second = await context.newPage()
    await second.goto('/settings')
    await expect(second.getByRole('heading', { name: 'Settings' })).toBeVisible()
    // The server's clock stays where it is, so its answer is given here.
    await context.route('**/api/auth/refresh', (route) =>
      route.fulfill({ status: 401, json: { ErrorBody: 'Session expired', code: 'session-expired' } }),
    )
    await context.clock.fastForward('04:00:30')
    for (const tab of [page, second]) {
      await expect(tab).toHaveURL(/\/login$/)
      await expect(tab.getByText('You were signed out after 4 hours without activity.')).toBeVisible()
    }
    await context.unroute('**/api/auth/refresh')
    await signInOn(page, { userId: people.service, password: DEMO_PASSWORD })
    await expect(page).toHaveURL(/\/events\?.*keyword=helix/)
    await expect(second).toHaveURL(/\/settings$/)
  })

  test('sign out everywhere ends the session in another browser too', async ({ pageOf }) => {
    const here = await pageOf('service')
    const there = await pageOf('service')
    await here.goto('/settings/account')
    await there.goto('/events')
    await expect(there.getByText(/^Live/).first()).toBeVisible()
    await here.getByRole('button', { name: 'Sign out everywhere' }).click()
    await here.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click()
    await expect(here.getByLabel('User ID')).toBeVisible()
    await expect(there).toHaveURL(/\/login$/)
    await expect(there.getByText('Session expired')).toBeVisible()
  })

  test('a sign-out that the server did not hear is told at the next start', async ({ pageOf }) => {
    const page = await pageOf('service')
    await page.goto('/events')
    await expect(events(page)).toBeVisible()
    await page.route('**/api/auth/sign-out', (route) => route.abort())
    await page.getByRole('button', { name: /user menu/ }).click()
    await page.getByRole('menuitem', { name: 'Logout' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Logout' }).click()
    await expect(page.getByLabel('User ID')).toBeVisible()
    await page.unroute('**/api/auth/sign-out')
    await page.reload()
    await expect(page.getByLabel('User ID')).toBeVisible()
    const cookies = await page.context().cookies(`${new URL(page.url()).origin}/api/auth/refresh`)
    expect(cookies).toEqual([])
  })

  test('nothing secret is in storage, addresses or the console', async ({ page, outbox }) => {
    const seen: string[] = []
    const secrets: string[] = [DEMO_PASSWORD]
    page.on('console', (message) => seen.push(message.text()))
    page.on('request', (request) => seen.push(request.url()))
    page.on('websocket', (socket) => seen.push(socket.url()))
    page.on('framenavigated', (frame) => seen.push(frame.url()))
    page.on('response', async (response) => {
      if (!/\/auth\/(mfa|refresh|sign-in)$/.test(response.url()) || response.status() !== 200) return
      const { accessToken, challengeToken } = (await response.json()) as Record<string, string | undefined>
      secrets.push(...[accessToken, challengeToken].filter((token) => token !== undefined))
    })
    await page.goto('/login')
    const code = await outbox.codeAfter(() => signInOn(page, { userId: people.mfa, password: DEMO_PASSWORD }), 'sms')
    // The text message may arrive before the form that asks for its code.
    await expect(page.getByRole('form', { name: 'Enter the code' })).toBeVisible()
    await page.keyboard.type(code)
    await expect(page.getByText(/^Live/).first()).toBeVisible()
    await page.reload()
    await expect(page.getByText(/^Live/).first()).toBeVisible()
    // The readable cookie only says that there is a session.
    for (const { value, httpOnly } of await page.context().cookies()) if (httpOnly) secrets.push(value)
    seen.push(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }) + document.cookie))
    // Password, challenge, two access tokens and the refresh token at least, or this looked for nothing.
    expect(secrets.length).toBeGreaterThanOrEqual(5)
    for (const secret of [...secrets, code]) {
      expect(seen.filter((text) => text.includes(secret)).map((text) => text.slice(0, 60))).toEqual([])
    }
  })
})

test.describe('what can not be had at start-up is told, and the rest goes on', () => {
  const calls = [
    ['Could not get user', '**/api/users/me'],
    ['Could not get user profiles', '**/api/profiles'],
    ['Could not get users', '**/api/users'],
    ['Could not get filter data', '**/api/users/me/filters'],
    ['Could not get feature flags', '**/api/users/me/features'],
  ] as const

  test('each by itself', async ({ browser, product }) => {
    const context = await browser.newContext({ baseURL: product.baseUrl })
    await signIn(context, product, 'service')
    for (const [text, path] of calls) {
      const page = await context.newPage()
      await page.route(path, (route) => route.fulfill({ status: 403, json: { ErrorBody: 'Refused.', code: 'x' } }))
      await page.goto('/events')
      await expect(page.getByRole('alert').filter({ hasText: 'Refused.' })).toHaveText(`${text}Refused.`)
      await expect(page.locator('tbody tr[data-row]').first()).toBeVisible()
      await page.close()
    }
    await context.close()
  })

  test('all at once', async ({ pageOf }) => {
    const page = await pageOf('service')
    for (const [, path] of calls)
      await page.route(path, (route) => route.fulfill({ status: 403, json: { ErrorBody: 'Refused.', code: 'x' } }))
    await page.goto('/events')
    for (const [text] of calls) await expect(page.getByText(text, { exact: true })).toBeVisible()
    await expect(page.locator('tbody tr[data-row]').first()).toBeVisible()
  })
})
