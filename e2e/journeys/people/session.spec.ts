import type { Page } from '@playwright/test'
import { DEMO_PASSWORD, expect, people, signInOn, test } from '../../fixtures.ts'

const events = (page: Page) => page.getByRole('heading', { name: 'Service Events' })
/** The tab has noted that it is open, as it does every two seconds. */
const untilNoted = (page: Page) =>
  expect.poll(() => page.evaluate(() => localStorage.getItem('benchwatch.tabOpenAt'))).not.toBeNull()

test.describe('the session of a browser', () => {
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

  test('four hours without a click sign out in every tab, with a notice, and signing in returns to the page', async ({
    pageOf,
  }) => {
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

  test('a screen that the network could not bring says so, and loads once the network is back', async ({ pageOf }) => {
    const page = await pageOf('support', { isNew: true })
    await page.goto('/help')
    const instruments = page.getByRole('link', { name: 'Instruments', exact: true })
    await expect(instruments).toBeVisible()
    await page.context().setOffline(true)
    await instruments.click()
    const message = page.getByRole('alert').filter({ hasText: 'This screen could not be loaded' })
    await expect(message).toContainText('Check your connection, then reload.')
    await expect(message).not.toContainText('support')
    await page.context().setOffline(false)
    await expect(page.getByRole('heading', { name: 'Instrument Summary' })).toBeVisible()
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
