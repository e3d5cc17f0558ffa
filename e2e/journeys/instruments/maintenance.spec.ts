import type { Page } from '@playwright/test'
import { Alarms } from '../../alarms.ts'
import { findMaintainable } from '../../find-instruments.ts'
import { expect, test } from '../../fixtures.ts'
import { expectNoObjections } from '../../look.ts'

const DAY_MS = 86_400_000
const toast = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text })
const dialogOf = (page: Page) => page.getByRole('dialog', { name: /^Maintenance/ })
const orcStatus = (page: Page) => page.getByRole('button', { name: /^ORC status: / })

/** Opens the maintenance dialog from the ORC status menu of an instrument's details. */
async function openDialog(page: Page) {
  await orcStatus(page).click()
  await page.getByRole('menuitem', { name: 'Maintenance…' }).click()
  return dialogOf(page)
}

/** '3 January 2027', as the calendar names a day in the zone of the journeys. */
function dayName(at: Date): string {
  const options = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'Europe/Stockholm' } as const
  return new Intl.DateTimeFormat('en-GB', options).format(at)
}

/** Presses a day of the calendar, on its page. */
async function pressDay(page: Page, at: Date) {
  const day = dialogOf(page).getByRole('button', { name: dayName(at), exact: true })
  if ((await day.count()) === 0) await dialogOf(page).getByRole('button', { name: 'Next month' }).click()
  await day.click()
}

test('maintenance mode on starts now, for everybody who looks; a range schedules; off clears', async ({
  pageOf,
  product,
}) => {
  const { instrumentInstalledProductId: own } = await findMaintainable(product, 'customer')
  const customer = await pageOf('customer')
  await customer.goto(`/instruments?keyword=${own}`)
  const row = customer.locator('tbody tr').filter({ hasText: own }).first()
  await expect(row.getByRole('button', { name: /^ORC status: / })).toBeVisible()
  await expect(row.getByRole('img', { name: 'Maintenance' })).toHaveCount(0)

  const support = await pageOf('support')
  await support.goto(`/instruments/${own}`)
  const dialog = await openDialog(support)
  const apply = dialog.getByRole('button', { name: 'Apply' })
  await expect(apply).toBeDisabled()
  await dialog.getByRole('switch', { name: 'Maintenance mode' }).click()
  await dialog.getByLabel('Reason').fill('Pump seals are replaced')
  await apply.click()
  await expect(toast(support, 'Maintenance updated')).toBeVisible()
  await expect(dialog).toHaveCount(0)
  await expect(orcStatus(support)).toHaveAccessibleName(/ in maintenance$/)
  await expectNoObjections(support, 'main')
  await expect(row.getByRole('img', { name: 'Maintenance on' })).toHaveAttribute('title', /Pump seals are replaced/)

  // The customer makes a range of it: Apply is disabled until it is whole, and the dialog asks before it loses what was entered.
  await customer.goto(`/instruments/${own}`)
  const customerDialog = await openDialog(customer)
  await customerDialog.getByRole('switch', { name: 'Date range' }).click()
  const customerApply = customerDialog.getByRole('button', { name: 'Apply' })
  await expect(customerApply).toBeDisabled()
  const [first, last] = [new Date(Date.now() + 2 * DAY_MS), new Date(Date.now() + 3 * DAY_MS)]
  await pressDay(customer, first)
  await expect(customerApply).toBeDisabled()
  await pressDay(customer, last)
  await expect(customerApply).toBeEnabled()
  await customer.keyboard.press('Escape')
  await customer.getByRole('button', { name: 'Stay' }).click()
  await customerApply.click()
  await expect(orcStatus(customer)).toHaveAccessibleName(/Maintenance scheduled$/)
  await expect(orcStatus(support)).toHaveAccessibleName(/Maintenance scheduled$/)

  await openDialog(support)
  await dialog.getByRole('switch', { name: 'Maintenance mode' }).click()
  await apply.click()
  await expect(dialog).toHaveCount(0)
  await expect(orcStatus(support)).not.toHaveAccessibleName(/Maintenance/)
  await expect(orcStatus(customer)).not.toHaveAccessibleName(/Maintenance/)
})

test('a recurring maintenance is read back with its next windows; somebody else’s change is told; it ends as a whole', async ({
  pageOf,
  product,
}) => {
  const { instrumentInstalledProductId: own } = await findMaintainable(product, 'customer')
  const page = await pageOf('service')
  await page.goto(`/instruments/${own}`)
  const dialog = await openDialog(page)
  await dialog.getByRole('switch', { name: 'Maintenance mode' }).click()
  await dialog.getByRole('switch', { name: 'Date range' }).click()
  const [first, next] = [new Date(Date.now() + DAY_MS), new Date(Date.now() + 2 * DAY_MS)]
  await pressDay(page, first)
  await pressDay(page, next)
  await dialog.getByRole('switch', { name: 'Whole days' }).click()
  await dialog.getByLabel('From', { exact: true }).fill('22:00')
  await dialog.getByLabel('To', { exact: true }).fill('04:00')
  await dialog.getByLabel('Repeat').selectOption('Weekly')
  await dialog.getByLabel('Every').fill('2')
  await expect(dialog.getByText(/^Every 2 weeks on \w+: 22:00 to 04:00 the next day/)).toBeVisible()
  await expect(dialog.locator('ol li')).toHaveCount(3)
  await expect(dialog.locator('ol li').first()).toContainText('22:00')
  await expectNoObjections(page)
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(orcStatus(page)).toHaveAccessibleName(/Maintenance scheduled$/)

  await openDialog(page)
  await expect(dialog.getByText(/^Every 2 weeks on \w+ \(Europe\/Stockholm\)$/)).toBeVisible()
  await dialog.getByLabel('Reason').fill('Cleaning in place')
  const colleague = await pageOf('support')
  await colleague.goto(`/instruments/${own}`)
  await openDialog(colleague)
  await dialogOf(colleague)
    .getByRole('button', { name: /^End: Maintenance scheduled/ })
    .click()
  await colleague.getByRole('button', { name: 'End maintenance' }).click()
  await expect(orcStatus(colleague)).not.toHaveAccessibleName(/Maintenance/)
  await expect(dialog.getByText(/was ended by another user\. Your entries are kept/)).toBeVisible()
  await expect(dialog.getByLabel('Reason')).toHaveValue('Cleaning in place')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toHaveCount(0)
})

test('events are recorded during maintenance as ever, and marked', async ({ pageOf, product }) => {
  const { instrumentInstalledProductId: own, gatewayName } = await findMaintainable(product, 'customer')
  const page = await pageOf('customer')
  await page.goto(`/instruments/${own}`)
  const dialog = await openDialog(page)
  await dialog.getByRole('switch', { name: 'Maintenance mode' }).click()
  await expect(dialog.getByText('Events are still recorded and flagged as “during maintenance”.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await expect(orcStatus(page)).toHaveAccessibleName(/ in maintenance$/)
  const alarm = await (await Alarms.of(product, gatewayName ?? undefined)).raise(own, { words: 'Valve does not close' })

  await page.goto(`/events?keyword=${alarm.description.slice(-6)}`)
  const row = page.locator('tbody tr[data-row]').filter({ hasText: alarm.description })
  await expect(row.getByTitle('During maintenance of the instrument')).toBeVisible()
  await row.getByRole('button', { name: alarm.description }).click()
  await expect(page.getByRole('dialog').getByText('During maintenance')).toBeVisible()
  await page.getByRole('dialog').getByRole('link', { name: 'View Event Details' }).click()
  await expect(page.getByText('During maintenance')).toBeVisible()
})
