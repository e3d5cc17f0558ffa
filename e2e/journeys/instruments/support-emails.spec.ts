import { randomInt, randomUUID } from 'node:crypto'
import { createClient } from '@benchwatch/client/client'
import type { Locator, Page } from '@playwright/test'
import type { Alarms } from '../../alarms.ts'
import { objections } from '../../axe.ts'
import { findEvents } from '../../find-events.ts'
import { expect, test } from '../../fixtures.ts'
import { expectNoObjections } from '../../look.ts'
import type { Product } from '../../product.ts'
import { Registry } from '../../registry.ts'

const toast = (page: Page, text: string | RegExp) => page.getByRole('alert').filter({ hasText: text })
const preview = (page: Page) => page.getByRole('region', { name: 'Preview', exact: true })
/** The content of the preview's frame. */
const drawn = (page: Page) => preview(page).frameLocator('iframe').locator('body')

/** An instrument with a contact whom nobody else has, and an error that no other instrument raises. */
async function laboratory(product: Product) {
  const contact = `lab-${randomUUID().slice(0, 8)}@lab.example`
  const templateId = `UV9-${randomInt(1_000_000, 99_000_000)}`
  const registry = await Registry.of(product)
  const { alarms, instrument } = await registry.laboratory({
    contact: { key: contact, input: { name: 'Lea Berg' } },
    instrument: { systemName: 'PURE-E2E-07' },
  })
  return { contact, templateId, alarms, instrument }
}

interface Raising {
  alarms: Alarms
  product: Product
  instrument: string
  templateId: string
}

/** Raises the error on a component, and gives the number of its event. */
async function raise({ alarms, product, instrument, templateId }: Raising, component: string): Promise<string> {
  const words = `Lamp is weak ${randomUUID().slice(0, 8)}`
  const like = { templateId, subject: instrument, description: '', alertId: '' }
  const { description } = await alarms.raise(instrument, { words, component, like })
  const [event] = await findEvents(product, { keyword: description.slice(-15) })
  if (event === undefined) throw new Error(`No event says ${description}`)
  return event.eventId
}

async function openEmails(page: Page, eventId: string): Promise<Locator> {
  await page.goto(`/events/${eventId}`)
  await page.getByRole('button', { name: /^E-mail/ }).click()
  return page.getByRole('dialog', { name: /^E-mails about/ })
}

test.describe('automatic support e-mails', () => {
  test('an administrator writes a template and sees its e-mail; the next event sends it, shows it and is closed by Automatic', async ({
    pageOf,
    product,
    outbox,
  }) => {
    const lab = { product, ...(await laboratory(product)) }
    const before = await raise(lab, 'Lamp 1 (UV9)')

    const admin = await pageOf('admin')
    await admin.goto('/administration/users')
    await admin.getByRole('link', { name: 'Support e-mails' }).click()
    await expect(admin.getByRole('heading', { name: 'Support e-mails' })).toBeVisible()
    await admin.getByRole('link', { name: 'New template' }).click()
    // Until then the list stands there, which is filtered by the type.
    await expect(admin.getByRole('heading', { name: 'New template' })).toBeVisible()
    await admin.getByLabel('Instrument type').selectOption({ label: 'ÄKTA pure' })
    await admin.getByLabel('Error id').fill(lab.templateId)
    await admin.getByLabel('Component', { exact: false }).first().fill('UV monitor (UV9)')
    const subject = admin.getByLabel('Subject')
    await subject.fill('The lamp of {systemname}')
    await expect(admin.getByText('Unknown placeholder: {systemname}. Did you mean {systemName}?')).toBeVisible()
    await subject.fill('The lamp of ')
    await admin.getByRole('button', { name: /^\{systemName\}/ }).click()
    await admin.keyboard.type(' is weak')
    await expect(subject).toHaveValue('The lamp of {systemName} is weak')
    await admin.getByLabel('Body').fill('Dear {contactName},\n\n{troubleshooting}')
    await admin
      .getByLabel('Troubleshooting', { exact: true })
      .fill('<ol><li>Change the lamp.</li></ol><img src=x onerror="document.title=1">')
    await expect(admin.getByRole('region', { name: /preview$/ })).toHaveText(/Change the lamp\./)
    await admin.getByLabel('Close the event after the e-mail is sent').check()
    await admin.getByLabel('Under review').uncheck()
    // About the event that has come already.
    await expect(preview(admin).getByRole('link', { name: `ORC-${before}` })).toBeVisible()
    await expect(preview(admin)).toContainText(lab.contact)
    await expect(preview(admin)).toContainText('The lamp of PURE-E2E-07 is weak')
    await expect(drawn(admin)).toContainText('Dear Lea Berg')
    await expect(drawn(admin).getByRole('listitem')).toHaveText('Change the lamp.')
    await expect(drawn(admin).locator('img')).toHaveCount(0)
    await preview(admin).getByText('Dark', { exact: true }).click()
    await expect(drawn(admin)).toHaveCSS('background-color', 'rgb(14, 19, 24)')
    await preview(admin).getByText('Narrow', { exact: true }).click()
    await expect(preview(admin).locator('iframe')).toHaveCSS('width', '320px')
    await preview(admin).getByText('Text', { exact: true }).click()
    await expect(preview(admin).getByRole('region', { name: 'E-mail as text' })).toContainText('1. Change the lamp.')
    expect(await objections(admin)).toEqual([])
    await admin.getByRole('button', { name: 'Create' }).click()
    await expect(toast(admin, `Template for ${lab.templateId} created`)).toBeVisible()
    await expect(admin.getByRole('heading', { name: lab.templateId })).toBeVisible()

    // What came before is mailed to nobody; it shows what would be.
    const service = await pageOf('service')
    const none = await openEmails(service, before)
    await expect(none).toContainText('No e-mails were sent about this event')
    await expect(none).toContainText('The lamp of {systemName} is weak')

    const eventId = await raise(lab, 'Lamp 2 (UV9)')
    const mail = await outbox.newestTo(lab.contact)
    expect(mail.subject).toBe('The lamp of PURE-E2E-07 is weak')
    expect(mail.text).toContain('Dear Lea Berg,\n\n1. Change the lamp.')
    const emails = await openEmails(service, eventId)
    await expect(emails.getByText(/^Email support message sent: \d/)).toBeVisible()
    for (const words of ['Lea Berg', lab.contact, 'The lamp of PURE-E2E-07 is weak'])
      await expect(emails.getByText(words, { exact: true })).toBeVisible()
    await expectNoObjections(service)
    await service.keyboard.press('Escape')
    await expect(service.getByText('Closed by automatic email').first()).toBeVisible()
    await expect(service.getByRole('button', { name: /^Owner: Automatic/ })).toBeVisible()

    // Save and Discard only when different; leaving asks.
    const save = admin.getByRole('button', { name: 'Save' })
    await expect(save).toBeDisabled()
    await expect(admin.getByRole('button', { name: 'Discard' })).toBeDisabled()
    await subject.fill('A weak lamp')
    await admin.getByRole('link', { name: 'Users' }).click()
    await admin.getByRole('dialog').getByRole('button', { name: 'Stay' }).click()
    await save.click()
    await expect(toast(admin, `Template for ${lab.templateId} saved`)).toBeVisible()
    await expect(save).toBeDisabled()
    await raise(lab, 'Lamp 3 (UV9)')
    await expect.poll(async () => (await outbox.newestTo(lab.contact)).subject).toBe('A weak lamp')

    // The contact unsubscribes: the next event is closed without a mail.
    const [, token] = /unsubscribe\?token=([\w-]{43})/.exec(mail.text ?? '') ?? []
    const anybody = createClient({ url: product.baseUrl, retries: 0 })
    await anybody.call('unsubscribe', { body: { token: token ?? '', unsubscribeDays: null } })
    const unwanted = await raise(lab, 'Lamp 4 (UV9)')
    await service.goto(`/events/${unwanted}`)
    await expect(service.getByText('Customer unsubscribed').first()).toBeVisible()
    const unsent = await openEmails(service, unwanted)
    await expect(unsent.getByText('Not sent')).toBeVisible()
    await expect(unsent.getByText('Customer unsubscribed')).toBeVisible()
    await service.goto(`/instruments/${lab.instrument}?tab=emails`)
    const row = service.locator('[data-row]').filter({ hasText: lab.templateId.slice('UV9-'.length) })
    await expect(row).toContainText('Off')
    await expect(row).toContainText(lab.contact)

    // Deleted, after one question that says what happens.
    await admin.getByRole('button', { name: 'Delete' }).click()
    await expect(admin.getByRole('dialog')).toContainText('No more e-mails are sent about this error.')
    await admin.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect(toast(admin, `Template for ${lab.templateId} on ÄKTA pure deleted`)).toBeVisible()
    await admin.getByRole('searchbox', { name: 'Search templates' }).fill(lab.templateId)
    await expect(admin.getByText('No templates found')).toBeVisible()
  })

  test('their templates are found by keyword, instrument type and review, and paged', async ({ pageOf }) => {
    const admin = await pageOf('admin')
    await admin.goto('/administration/support-emails')
    const rows = admin.locator('[data-row]')
    await expect(rows).toHaveCount(25)
    await admin.getByRole('combobox', { name: 'Review' }).selectOption({ label: 'Under review' })
    await expect(rows.filter({ hasNotText: 'Under review' })).toHaveCount(0)
    await admin.getByRole('combobox', { name: 'Instrument type' }).selectOption({ label: 'ÄKTA avant' })
    await expect(admin).toHaveURL(/instrumentType=AKTAAvant/)
    await expect(rows.filter({ hasNotText: 'ÄKTA avant' })).toHaveCount(0)
    await expect(rows).not.toHaveCount(0)
    await rows.first().getByRole('link').click()
    await expect(preview(admin).locator('iframe')).toBeVisible()
    // The list comes back as it was.
    await admin.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link').click()
    await expect(admin).toHaveURL(/instrumentType=AKTAAvant/)
    await admin.goto('/administration/support-emails/AKTAAvant/NONE-1')
    await expect(admin.getByText('This template does not exist')).toBeVisible()
    const support = await pageOf('support')
    await support.goto('/administration/support-emails')
    await expect(support.getByRole('heading', { name: 'You can’t open this page' })).toBeVisible()
  })
})
