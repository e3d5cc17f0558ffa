import type { Page } from '@playwright/test'
import { readCsv } from '../../csv.ts'
import { expect, test } from '../../fixtures.ts'
import { instrumentBehind } from '../../fleet.ts'
import { expectGoodLook } from '../../look.ts'

const toast = (page: Page, text: string | RegExp) => page.getByRole('alert').filter({ hasText: text })
const rows = (page: Page) => page.locator('tbody tr[data-row]')
const panel = (page: Page) => page.getByRole('dialog', { name: 'Export' })
const bar = (page: Page) => page.getByRole('region', { name: 'Selected events' })
const ofList = (page: Page) => page.getByRole('button', { name: 'Export', exact: true }).first()

async function exportAs(
  page: Page,
  { choice, count }: { choice: 'Columns as on screen' | 'Every field'; count: number },
): Promise<Record<string, string>[]> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    // The message goes after four seconds, which a file may take to be read.
    expect(toast(page, `Exported ${count} events`)).toBeVisible(),
    panel(page)
      .getByRole('button', { name: new RegExp(choice) })
      .click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^benchwatch-events-\d{4}-\d\d-\d\d\.csv$/)
  return readCsv(download)
}

async function eventIdsOnScreen(page: Page): Promise<string[]> {
  return rows(page).locator('a[data-action="open"]').allTextContents()
}

test('the columns as on screen, of the filtered list, in its order', async ({ pageOf, alarms, product }) => {
  const word = await alarms.raiseMany(await instrumentBehind(product, alarms.gateway), {
    count: 4,
    words: 'Flow drifts',
  })
  const page = await pageOf('support')
  await page.goto(`/events?keyword=${word}&orderBy=eventId&order=ASC&pageSize=25`)
  await expect(rows(page)).toHaveCount(4)
  const shown = await eventIdsOnScreen(page)
  await ofList(page).click()
  await expect(panel(page)).toContainText('Export 4 events')
  await expectGoodLook(page, 'export', { within: '[role="dialog"]' })
  const records = await exportAs(page, { choice: 'Columns as on screen', count: 4 })
  await expect(panel(page)).toHaveCount(0)
  expect(records.map(({ Event }) => Event)).toEqual(shown)
  expect(Object.keys(records[0] ?? {})).toEqual([
    ...['Severity', 'Created (UTC)', 'Event', 'Description', 'Instrument status', 'Instrument'],
    ...['Installed product ID', 'Location', 'Customer', 'Contract due (UTC)', 'Owner', 'Status', 'E-mail sent (UTC)'],
  ])
  expect(records[0]).toMatchObject({ Severity: 'MED', Status: 'New', Owner: '' })
  expect(records[0]?.['Created (UTC)']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
})

test('every field, of selected events and of all but some', async ({ pageOf, alarms, product }) => {
  const word = await alarms.raiseMany(await instrumentBehind(product, alarms.gateway), {
    count: 5,
    words: 'Lid is open',
  })
  const page = await pageOf('support')
  await page.goto(`/events?keyword=${word}&orderBy=eventId&order=DESC&pageSize=25`)
  await expect(rows(page)).toHaveCount(5)
  const shown = await eventIdsOnScreen(page)
  const digits = (names: (string | undefined)[]) => names.map((name) => name?.replace('ORC-', ''))

  for (const index of [3, 1]) await rows(page).nth(index).getByRole('checkbox').check()
  await bar(page).getByRole('button', { name: 'Export' }).click()
  await expect(panel(page)).toContainText('Export 2 events')
  const some = await exportAs(page, { choice: 'Every field', count: 2 })
  expect(some.map(({ eventId }) => eventId)).toEqual(digits([shown[1], shown[3]]))
  expect(some[0]).toMatchObject({ severity: 'medium', alertStatus: '1_NEW', alertSource: 'INSTRUMENT' })

  await page.getByRole('checkbox', { name: 'Select all events' }).check()
  await rows(page).nth(2).getByRole('checkbox').uncheck()
  await expect(bar(page)).toContainText('4 selected')
  await bar(page).getByRole('button', { name: 'Export' }).click()
  const others = await exportAs(page, { choice: 'Every field', count: 4 })
  expect(others.map(({ eventId }) => eventId)).toEqual(digits(shown.filter((_name, index) => index !== 2)))
})

test('its state drives the progress, which continues on another screen', async ({ pageOf }) => {
  const page = await pageOf('support')
  // The answers are real; they only come when the test says so.
  const held = Promise.withResolvers<void>()
  await page.route(/\/api\/exports\/[^/]+$/, async (route) => {
    await held.promise
    await route.continue()
  })
  await page.goto('/events')
  await expect(rows(page).first()).toBeVisible()
  await ofList(page).click()
  await panel(page)
    .getByRole('button', { name: /Columns as on screen/ })
    .click()
  await expect(panel(page).getByRole('progressbar', { name: 'Export progress' })).toBeVisible()
  await expect(panel(page).getByRole('button', { name: 'Continue working' })).toBeFocused()
  await panel(page).getByRole('button', { name: 'Continue working' }).click()
  await expect(page.getByRole('button', { name: 'Exporting 0%' })).toBeVisible()
  await rows(page).first().locator('a[data-action="open"]').click()
  await expect(page).toHaveURL(/\/events\/\d+/)
  held.resolve()
  const [download, told] = await Promise.all([page.waitForEvent('download'), toast(page, /^Exported/).textContent()])
  const records = await readCsv(download)
  expect(told).toContain(`Exported ${records.length.toLocaleString('en')} events`)
})
