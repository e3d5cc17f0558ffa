import { objections } from '../../axe.ts'
import { DEMO_PASSWORD, expect, people, test } from '../../fixtures.ts'

test('what the embedded mail transport sends can be read at /dev/outbox, as it comes in, and its code works', async ({
  browser,
  product,
}) => {
  const context = await browser.newContext({
    baseURL: product.baseUrl,
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const page = await context.newPage()
  // Other journeys of this product may have had mails sent, of which some may still arrive.
  await page.goto(`/dev/outbox?to=${people.service}`)
  await expect(page.getByText(/^\d+ messages?$/)).toBeVisible()
  const sent = page.getByRole('list', { name: 'Messages' }).getByRole('link', { name: /Your verification code/ })
  const before = await sent.count()

  const asked = await context.request.post('/api/auth/forgot-password', { data: { email: people.service } })
  expect(asked.status()).toBe(200)
  await expect(sent).toHaveCount(before + 1)
  await sent.first().click()
  const mail = page.frameLocator('iframe')
  await expect(mail.getByRole('heading', { name: 'Set a new password' })).toBeVisible()

  await page.getByRole('button', { name: /^Copy \d{6}$/ }).click()
  const code = await page.evaluate(() => navigator.clipboard.readText())
  await expect(mail.getByText(code, { exact: true })).toBeVisible()

  await page.getByText('Headers', { exact: true }).click()
  await expect(page.getByText(/^<outbound\.\d+@/)).toBeVisible()
  await page.getByText('Text', { exact: true }).click()
  await expect(page.getByText(`Enter this verification code`)).toBeVisible()
  expect(await objections(page)).toEqual([])

  const changed = await context.request.post('/api/auth/confirm-forgot-password', {
    data: { email: people.service, code, newPassword: DEMO_PASSWORD },
  })
  expect(changed.status(), await changed.text()).toBe(200)
  await context.close()
})
