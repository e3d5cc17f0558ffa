import type { Page } from '@playwright/test'
import { expect, people, test } from '../../fixtures.ts'
import { instrumentBehind } from '../../fleet.ts'
import { expectNoObjections } from '../../look.ts'
import { rowsInSight } from '../../rows-in-sight.ts'

const toast = (page: Page, text: string | RegExp) => page.getByRole('alert').filter({ hasText: text })

/** Opens the details of the event with these words. */
async function openEvent(page: Page, words: string) {
  await page.goto(`/events?keyword=${words.slice(-6)}`)
  await page.getByRole('link', { name: /^ORC-\d+$/ }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText(words)
}

async function choose(page: Page, name: string) {
  const dialog = page.getByRole('dialog', { name: 'Email Event' })
  await dialog.getByRole('combobox', { name: 'Recipients' }).fill(name)
  await dialog.getByRole('option', { name }).first().click()
}

/** The name of whoever is signed in. */
async function nameOf(page: Page): Promise<string> {
  await page.goto('/events')
  const menu = await page
    .getByRole('button', { name: /, user menu$/ })
    .locator('span:not([aria-hidden])')
    .first()
    .textContent()
  return menu?.replace(/, user menu$/, '') ?? ''
}

test.describe('sharing an event by e-mail', () => {
  test('Share is disabled until at least one recipient is selected; then the e-mail is sent, with the comment', async ({
    pageOf,
    alarms,
    product,
    outbox,
  }) => {
    const instrument = await instrumentBehind(product, alarms.gateway)
    const alarm = await alarms.raise(instrument, { words: 'Column pressure <b>too high</b>' })
    const colleague = await pageOf('service')
    const receiver = await nameOf(colleague)
    const page = await pageOf('support')
    await openEvent(page, alarm.description)
    await page.getByRole('button', { name: /^E-mail/ }).click()
    await expect(page.getByText('No e-mails were sent about this event')).toBeVisible()
    await expectNoObjections(page, '[role=dialog]')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Share' }).click()
    const dialog = page.getByRole('dialog', { name: 'Email Event' })
    const send = dialog.getByRole('button', { name: 'Share' })
    await expect(send).toBeDisabled()
    await dialog.getByLabel('Comment (optional)').fill('Please look <script>alert(1)</script>\nbefore noon')
    await expect(send).toBeDisabled()
    await dialog.getByRole('combobox', { name: 'Recipients' }).click()
    await expect.poll(() => rowsInSight(dialog.getByRole('option'), dialog.getByRole('listbox'))).toBe(5)
    await expectNoObjections(page, '[role=dialog]')
    await choose(page, receiver)
    await send.click()
    await expect(toast(page, 'The event has been shared successfully.')).toBeVisible()
    await expect(dialog).toHaveCount(0)

    const mail = await outbox.newestTo(people.service, '> Please look')
    expect(mail.subject).toMatch(/^ORC-\d+ · HIGH · Column pressure <b>too high<\/b>/)
    expect(mail.text).toContain('> Please look <script>alert(1)</script>\n> before noon')
    expect(mail.html).not.toMatch(/<script>|<b>/)
    // By the name that the product knows itself under.
    expect(mail.html).toMatch(new RegExp(`href="http://[^/]+${new URL(page.url()).pathname}"`))

    // Shown on the event to whoever sent it and to whom it was sent, and recorded.
    await expect(page.getByRole('region', { name: 'History' })).toContainText(receiver)
    await page.getByRole('button', { name: /^E-mail/ }).click()
    const emails = page.getByRole('dialog', { name: /^E-mails about ORC-/ })
    await expect(emails).toContainText('Shared by e-mail:')
    await expect(emails).toContainText('before noon')
    await expectNoObjections(page, '[role=dialog]')
    await colleague.goto(new URL(page.url()).pathname)
    await colleague.getByRole('button', { name: /^E-mail/ }).click()
    await expect(colleague.getByRole('dialog', { name: /^E-mails about ORC-/ })).toContainText(people.service)
  })
})
