import type { Page } from '@playwright/test'
import { expect, test } from '../../fixtures.ts'
import { instrumentBehind } from '../../fleet.ts'
import { expectGoodLook } from '../../look.ts'

const toast = (page: Page, text: string | RegExp) => page.getByRole('alert').filter({ hasText: text })
const rows = (page: Page) => page.locator('tbody tr[data-row]')
const inStatus = (page: Page, name: string) => rows(page).filter({ has: page.getByRole('img', { name, exact: true }) })
const bar = (page: Page) => page.getByRole('region', { name: 'Selected events' })
const box = (page: Page, index: number) => rows(page).nth(index).getByRole('checkbox')

/** The list of the events with this word, once they are all there. */
async function openList(page: Page, { word, count }: { word: string; count: number }): Promise<void> {
  await page.goto(`/events?keyword=${word}&pageSize=25`)
  await expect(rows(page)).toHaveCount(Math.min(count, 25))
}

test.describe('one change of all selected events', () => {
  test('some are claimed without a question, another screen sees the rows change, and undo takes it back', async ({
    pageOf,
    alarms,
    product,
  }) => {
    const instrument = await instrumentBehind(product, alarms.gateway)
    const word = await alarms.raiseMany(instrument, { count: 5, words: 'Valve sticks' })
    const anna = await pageOf('support')
    const colleague = await pageOf('service')
    for (const page of [anna, colleague]) await openList(page, { word, count: 5 })
    await expect(colleague.getByText(/^Live/)).toBeVisible()

    for (const index of [0, 2, 3]) await box(anna, index).check()
    await expect(bar(anna)).toContainText('3 selected')
    await rows(anna).nth(2).getByRole('link', { name: /^ORC-/ }).click()
    await expect(anna.getByRole('region', { name: 'History' })).toBeVisible()
    await anna.goBack()
    await expect(bar(anna)).toContainText('3 selected')
    await bar(anna).getByRole('button', { name: 'Assign to me' }).click()
    // The message, and the offer to undo in it, stays while the pointer is over it.
    await toast(anna, '3 events changed').hover()
    await expect(anna.getByRole('dialog')).toHaveCount(0)
    await expect(bar(anna)).toHaveCount(0)
    for (const page of [anna, colleague]) {
      await expect(inStatus(page, 'In progress')).toHaveCount(3)
      await expect(inStatus(page, 'New')).toHaveCount(2)
    }
    await anna.keyboard.press('z')
    await expect(toast(anna, '3 assignments undone')).toBeVisible()
    for (const page of [anna, colleague]) await expect(inStatus(page, 'New')).toHaveCount(5)
  })

  test('all but one are closed with a service case, by the fields and rules of one event', async ({
    pageOf,
    alarms,
    product,
  }) => {
    const instrument = await instrumentBehind(product, alarms.gateway)
    const word = await alarms.raiseMany(instrument, { count: 4, words: 'UV lamp aged' })
    const page = await pageOf('support')
    await openList(page, { word, count: 4 })
    const all = page.getByRole('checkbox', { name: 'Select all events' })
    await all.check()
    await expect(bar(page)).toContainText('4 selected')
    await bar(page).getByRole('button', { name: 'Assign to me' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Assign 4 events to me' }).click()
    await expect(inStatus(page, 'In progress')).toHaveCount(4)
    // A live message may show this before the answer ends the selection.
    await expect(bar(page)).toHaveCount(0)

    await all.check()
    await box(page, 1).uncheck()
    await bar(page).getByRole('button', { name: 'Close…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Close 3 events' })
    const close = dialog.getByRole('button', { name: 'Close 3 events' })
    await expect(close).toBeDisabled()
    await dialog.getByLabel('Reason').selectOption('Service Case Created')
    await dialog.getByLabel('Service case number').fill('1234')
    await expect(dialog.getByLabel('Service case number')).toHaveAttribute('aria-invalid', 'true')
    await dialog.getByLabel('Service case number').fill('00123456')
    await close.click()
    await expect(toast(page, '3 events changed')).toContainText('Status: Closed - Service Case Created.')
    await expect(inStatus(page, 'Closed')).toHaveCount(3)
    await expect(rows(page).nth(1).getByRole('img', { name: 'In progress' })).toBeVisible()
  })

  test('above 500 events a job continues, with its progress', async ({ pageOf, alarms, product }) => {
    const instrument = await instrumentBehind(product, alarms.gateway)
    const word = await alarms.raiseMany(instrument, { count: 620, words: 'Conductivity out of range' })
    const page = await pageOf('support')
    await openList(page, { word, count: 620 })
    await page.getByRole('checkbox', { name: 'Select all events' }).check()
    await expect(bar(page)).toContainText('620 selected')
    // The first answer is held back until the dialog was seen without it.
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/api/alarms/bulk/*', async (route) => {
      await held
      await route.continue()
    })
    await bar(page).getByRole('button', { name: 'Assign to me' }).click()
    const dialog = page.getByRole('dialog', { name: 'Assign 620 events to me' })
    const accepted = page.waitForResponse((response) => response.url().endsWith('/api/alarms/bulk'))
    await dialog.getByRole('button', { name: 'Assign 620 events to me' }).click()
    expect((await accepted).status()).toBe(202)
    await expect(dialog).toContainText('Changing 620 events…')
    await expect(dialog.getByRole('progressbar', { name: 'Progress' })).toBeVisible()
    await dialog.getByRole('button', { name: 'Continue in background' }).click()
    await expect(dialog).toHaveCount(0)
    await bar(page).getByRole('button', { name: 'Show progress' }).click()
    await expect(dialog).toBeVisible()
    release()
    await expect(toast(page, '620 events changed')).toBeVisible()
    await expect(inStatus(page, 'In progress')).toHaveCount(25)
    await expect(bar(page)).toHaveCount(0)
  })
})

test('the dialogs look well at each width, in both themes', async ({ pageOf }) => {
  const page = await pageOf('support')
  const look = (name: string, within?: string) => expectGoodLook(page, `bulk-${name}`, { ...(within && { within }) })
  await page.goto('/events')
  await expect(rows(page).first()).toBeVisible()
  for (const index of [0, 1, 2]) await box(page, index).check()
  await look('bar', '[aria-label="Selected events"]')
  const dialog = page.getByRole('dialog')
  const open = (name: string) => bar(page).getByRole('button', { name }).click()
  await open('Assign…')
  await expect(dialog.getByRole('radio').first()).toBeVisible()
  await look('assign')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await open('Close…')
  await dialog.getByLabel('Reason').selectOption('Service Case Created')
  await dialog.getByLabel('Service case number').fill('00123456')
  await look('close')
  let isDone = false
  await page.route('**/api/alarms/bulk', (route) =>
    route.fulfill({ status: 202, json: { jobId: '00000000-0000-4000-8000-000000000000' } }),
  )
  await page.route('**/api/alarms/bulk/*', (route) =>
    route.fulfill({
      json: {
        state: isDone ? 'done' : 'running',
        changed: isDone ? 1012 : 650,
        failed: Array.from({ length: isDone ? 272 : 40 }, (_, index) => ({
          id: String(104_000 + index),
          eventId: String(104_000 + index),
          code: index % 3 === 0 ? 'not-owner' : 'status-conflict',
          ErrorBody:
            index % 3 === 0
              ? 'Only the owner may do this. Assign the event to yourself first.'
              : 'The event is closed and can’t be reopened. Its reason can still be corrected.',
        })),
        done: isDone ? 1284 : 690,
        total: 1284,
      },
    }),
  )
  await dialog.getByRole('button', { name: 'Close 3 events' }).click()
  await expect(dialog).toContainText('690 of 1,284 events')
  await look('progress')
  isDone = true
  await expect(dialog).toContainText('1,012 events changed')
  await look('outcome')
  await dialog.getByRole('button', { name: 'Done' }).click()
})
