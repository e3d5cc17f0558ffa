import AxeBuilder from '@axe-core/playwright'
import { expect, people, test } from '../fixtures.ts'
import { startProduct } from '../product.ts'

test('what the embedded mail transport sends can be read at /dev/outbox, as it comes in, and its code works', async ({
  browser,
  product,
}) => {
  const context = await browser.newContext({
    baseURL: product.baseUrl,
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const page = await context.newPage()
  await page.goto('/dev/outbox')
  await expect(page.getByText('Nothing has been sent yet')).toBeVisible()

  const asked = await context.request.post('/api/auth/forgot-password', { data: { email: people.service } })
  expect(asked.status()).toBe(200)
  await page.getByRole('link', { name: new RegExp(people.service) }).click()
  const mail = page.frameLocator('iframe')
  await expect(mail.getByRole('heading', { name: 'Set a new password' })).toBeVisible()

  await page.getByRole('button', { name: /^Copy \d{6}$/ }).click()
  const code = await page.evaluate(() => navigator.clipboard.readText())
  await expect(mail.getByText(code, { exact: true })).toBeVisible()

  await page.getByText('Headers', { exact: true }).click()
  await expect(page.getByText(/^<outbound\.\d+@/)).toBeVisible()
  await page.getByText('Text', { exact: true }).click()
  await expect(page.getByText(`Type this verification code`)).toBeVisible()
  expect((await new AxeBuilder({ page }).analyze()).violations.map(({ id }) => id)).toEqual([])

  const changed = await context.request.post('/api/auth/confirm-forgot-password', {
    data: { email: people.service, code, newPassword: 'An-other-pass-2026!' },
  })
  expect(changed.status(), await changed.text()).toBe(200)
  await context.close()
})

test('without demo data there is no outbox', async ({ browser }) => {
  const product = await startProduct({ DEMO: 'off' })
  try {
    const page = await browser.newPage({ baseURL: product.baseUrl })
    await page.goto('/dev/outbox')
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
    expect((await page.request.get('/api/dev/outbox')).status()).toBe(404)
    await page.close()
  } finally {
    await product.stop()
  }
})
