import type { Page } from '@playwright/test'
import { expect, signInOn, test } from '../../fixtures.ts'
import { expectGoodLook } from '../../look.ts'

/** Signs in up to a step that the server is made to ask for: the ways there walk other journeys. */
async function openAt(page: Page, challenge: string) {
  await page.route('**/api/auth/sign-in', (route) =>
    route.fulfill({ json: { challenge, challengeToken: 'token', delivery: '••• ••• 05' } }),
  )
  await page.goto('/login')
  await signInOn(page, { userId: 'anna@benchwatch.example', password: 'any' })
}

const modes: [name: string, open: (page: Page) => Promise<void>][] = [
  [
    'new-password',
    async (page) => {
      await openAt(page, 'NEW_PASSWORD_REQUIRED')
      await page.getByLabel('New password', { exact: true }).fill('Quiet-lab')
      await page.getByLabel('Repeat new password').fill('Quiet-x')
    },
  ],
  [
    'code-by-text-message',
    async (page) => {
      await openAt(page, 'SMS_MFA')
      await page.getByRole('textbox', { name: 'Code' }).fill('1234')
    },
  ],
  [
    'code-of-app',
    async (page) => {
      await openAt(page, 'TOTP_MFA')
      await page.getByRole('button', { name: 'Use a recovery code' }).click()
    },
  ],
  [
    'reset',
    async (page) => {
      await page.goto('/login')
      await page.getByRole('button', { name: 'Forgot password?' }).click()
      await page.getByRole('button', { name: 'Send code' }).click()
    },
  ],
  [
    'confirm-reset',
    async (page) => {
      await page.route('**/api/auth/forgot-password', (route) => route.fulfill({ json: {} }))
      await page.goto('/login')
      await page.getByLabel('User ID').fill('anna@benchwatch.example')
      await page.getByRole('button', { name: 'Forgot password?' }).click()
      await page.getByRole('button', { name: 'Send code' }).click()
      await page.getByRole('button', { name: 'Change password' }).click()
    },
  ],
]

test('the modes of the sign-in at each width, in both themes: nothing cut off, nothing that axe objects to', async ({
  page,
}) => {
  for (const [name, open] of modes) {
    await test.step(name, async () => {
      await open(page)
      await expectGoodLook(page, `login-${name}`)
      await page.unrouteAll()
    })
  }
})

test('the sign-in loads less than 200 kB of script', async ({ page }) => {
  const scripts: string[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') scripts.push(response.url())
  })
  await page.goto('/login')
  await expect(page.getByLabel('User ID')).toBeVisible()
  let bytes = 0
  for (const script of scripts) {
    const { headers } = await fetch(script, { headers: { 'accept-encoding': 'gzip' } })
    bytes += Number(headers.get('content-length'))
  }
  expect(scripts.length).toBeGreaterThan(1)
  expect(bytes).toBeGreaterThan(50_000)
  expect(bytes).toBeLessThan(200_000)
})
