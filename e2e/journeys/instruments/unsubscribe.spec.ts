import { randomInt, randomUUID } from 'node:crypto'
import type { OutboxMessage } from '@benchwatch/contract/messages/messages'
import type { Browser, Page } from '@playwright/test'
import { apiOf } from '../../api.ts'
import { expect, test } from '../../fixtures.ts'
import { expectGoodLook } from '../../look.ts'
import type { Outbox } from '../../outbox.ts'
import type { Product } from '../../product.ts'
import { Registry } from '../../registry.ts'

/** A support e-mail to a contact whom nobody else has, about an error that no other instrument raises. */
async function supportEmail({ product, outbox }: { product: Product; outbox: Outbox }) {
  const contact = `lab-${randomUUID().slice(0, 8)}@lab.example`
  const templateId = `UV9-${randomInt(1_000_000, 99_000_000)}`
  const registry = await Registry.of(product)
  const { alarms, instrument } = await registry.laboratory({
    contact: { key: contact, input: { name: 'Lea Berg' } },
    instrument: { systemName: 'PURE-E2E-01' },
  })
  await apiOf(product, 'admin').call('putSupportEmailTemplate', {
    params: { '*': `AKTAPure/${templateId}` },
    body: {
      componentName: 'UV monitor (UV9)',
      subject: 'The lamp of {systemName} is weak',
      body: 'Dear {contactName}, please change the lamp.',
      troubleshooting: null,
      closesEvent: false,
      underReview: false,
    },
  })
  await alarms.raise(instrument, {
    words: 'UV lamp below limit',
    component: 'UV monitor (UV9)',
    like: { templateId, subject: instrument, description: '', alertId: '' },
  })
  return { instrument, templateId, mail: await outbox.newestTo(contact), contact }
}

/** Path and query of the link that stands in a mail for people. */
function linkIn({ text }: OutboxMessage): { path: string; token: string } {
  const [, path = '', token = ''] = /(\/unsubscribe\?token=([\w-]{43}))/.exec(text ?? '') ?? []
  return { path, token }
}

async function anonymousPage(browser: Browser, product: Product): Promise<Page> {
  const context = await browser.newContext({ baseURL: product.baseUrl })
  return context.newPage()
}

/** The line of an error on the tab of an instrument. */
async function supportEmailRow(page: Page, { instrument, templateId }: { instrument: string; templateId: string }) {
  await page.goto(`/instruments/${instrument}`)
  await page.getByRole('tab', { name: 'Automated support emails' }).click()
  return page.locator('[data-row]').filter({ hasText: templateId.slice('UV9-'.length) })
}

test.describe('the link in an automatic support e-mail', () => {
  test('leads anybody to "Unsubscribe from this warning", for 30 days only or for good, and the instrument shows it as Off', async ({
    browser,
    product,
    outbox,
    pageOf,
  }) => {
    const { instrument, templateId, mail, contact } = await supportEmail({ product, outbox })
    const { path, token } = linkIn(mail)
    const support = await pageOf('support')
    await expect(await supportEmailRow(support, { instrument, templateId })).toContainText('On')

    const page = await anonymousPage(browser, product)
    const askedWithToken: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (JSON.stringify([request.url(), request.headers(), request.postData()]).includes(token))
        askedWithToken.push(`${request.method()} ${pathname}`)
    })
    await page.goto(path)
    await expect(page.getByRole('heading', { name: 'Unsubscribe from this warning' })).toBeVisible()
    await expect(page).toHaveTitle(/^Unsubscribe · /)
    for (const words of [
      'You will no longer receive email notifications for the warning below.',
      'This action cannot be undone.',
    ])
      await expect(page.getByText(words)).toBeVisible()
    const facts = { 'Error (Warning number)': templateId, 'System type': 'ÄKTA pure 25', 'System name': 'PURE-E2E-01' }
    for (const [name, value] of Object.entries({ ...facts, Module: 'UV monitor (UV9)' }))
      await expect(page.locator('dt', { hasText: name }).locator('xpath=following-sibling::dd')).toHaveText(value)
    await expectGoodLook(page, 'unsubscribe')

    await page.getByLabel('Unsubscribe for 30 days only').check()
    await page.getByRole('button', { name: 'Yes, Unsubscribe' }).click()
    await expect(page.getByRole('heading', { name: 'Success!' })).toBeFocused()
    await expect(page.getByText('You have been unsubscribed')).toBeVisible()
    await expect(page.getByText(/^E-mails for this warning start again on \d\d-[A-Z][a-z]{2}-\d{4}\.$/)).toBeVisible()
    await expectGoodLook(page, 'unsubscribed')
    await page.reload()
    await expect(page.getByText('You have been unsubscribed')).toBeVisible()
    // The page itself, twice; what it asks about the link; and the button. Nothing else was told of it.
    expect(askedWithToken).toEqual([
      'GET /unsubscribe',
      'GET /api/unsubscribe',
      'POST /api/unsubscribe',
      'GET /unsubscribe',
      'GET /api/unsubscribe',
    ])
    await page.getByRole('link', { name: 'Login' }).click()
    await expect(page.getByLabel('User ID')).toBeVisible()
    expect(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))).not.toContain(token)

    const row = await supportEmailRow(support, { instrument, templateId })
    await expect(row).toContainText('Off')
    await expect(row).toContainText('30 days')
    await expect(row).toContainText(new RegExp(`Unsubscribed \\d\\d-[A-Z][a-z]{2}-\\d{4} by ${contact}`))

    // The button of the mail program, by the address in the mail's own header.
    const oneClick = /^<[^>]*(\/api\/unsubscribe\/one-click\?token=[\w-]+)>$/.exec(
      mail.headers['List-Unsubscribe'] ?? '',
    )
    const clicked = await fetch(`${product.baseUrl}${oneClick?.[1]}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: mail.headers['List-Unsubscribe-Post'] ?? '',
    })
    expect([clicked.status, await clicked.json()]).toEqual([200, { unsubscribedUntil: null }])
    const forGood = await supportEmailRow(support, { instrument, templateId })
    await expect(forGood).toContainText('Off')
    await expect(forGood).not.toContainText('30 days')
  })

  test('that is invalid says so, also to who is signed in: "For security unsubscribe links are only valid for 7 days."', async ({
    pageOf,
  }) => {
    const page = await pageOf('customer')
    for (const path of ['/unsubscribe', '/unsubscribe?token=', `/unsubscribe?token=${'q'.repeat(43)}`]) {
      await page.goto(path)
      const told = page.getByRole('alert')
      await expect(told.getByRole('heading')).toHaveText('Error: Your request could not be completed!')
      await expect(told).toContainText('Please try again or contact support.')
      await expect(told).toContainText('For security unsubscribe links are only valid for 7 days.')
    }
    await expectGoodLook(page, 'unsubscribe-invalid')
  })
})
