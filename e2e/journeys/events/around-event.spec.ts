import type { Locator, Page } from '@playwright/test'
import { expect, test } from '../../fixtures.ts'
import { expectGoodLook } from '../../look.ts'
import type { Product } from '../../product.ts'
import { Registry } from '../../registry.ts'

const HOUR = 3_600_000
const ago = (hours: number) => new Date(Date.now() - hours * HOUR)
const around = (page: Page) => page.getByRole('region', { name: 'Around the event' })
const prior = (page: Page) => page.getByRole('region', { name: 'Prior Event Notification' })

async function openEvent(page: Page, words: string) {
  await page.goto(`/events?keyword=${words.slice(-6)}`)
  await page.getByRole('link', { name: /^ORC-\d+$/ }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText(words)
}

/** An instrument that has done nothing else. */
const quietInstrument = async (product: Product) => (await Registry.of(product)).laboratory()

test.describe('around the event', () => {
  test('a status band from the status history, and this instrument’s events ± 6 h', async ({ pageOf, product }) => {
    const { alarms, instrument } = await quietInstrument(product)
    await alarms.tellStatuses(instrument, [
      { status: 'ready', at: ago(11) },
      { status: 'method run', at: ago(4) },
      { status: 'alarms and errors', at: ago(2) },
    ])
    const tooEarly = await alarms.raise(instrument, { words: 'Long before', at: ago(8.5) })
    const before = await alarms.raise(instrument, { words: 'Lamp is weak', severity: 'low', at: ago(3) })
    const event = await alarms.raise(instrument, { words: 'Pressure above limit', at: ago(2) })
    const page = await pageOf('service')
    await openEvent(page, event.description)

    // The time of the event is written among the hours.
    const hour = around(page)
      .locator('span > span')
      .filter({ hasText: /^\d\d:00$/ })
    const topOf = (label: Locator) => label.first().evaluate((element) => element.getBoundingClientRect().top)
    const apart = async () => (await topOf(around(page).locator('strong'))) - (await topOf(hour))
    await expect.poll(apart).toBeCloseTo(0)

    const band = around(page).getByRole('toolbar', { name: 'Status' })
    const run = band.getByRole('button', { name: /^method run, .* \(2 h\)$/ })
    await run.hover()
    await expect(around(page).getByText(/^method run, .* \(2 h\)$/)).toBeVisible()
    await expect(around(page).getByRole('list', { name: 'Statuses' })).toContainText('alarms and errors')

    // By keyboard alone: the band is one stop, within it the arrow keys lead on.
    await band.getByRole('button').first().focus()
    await page.keyboard.press('End')
    await expect(band.getByRole('button').last()).toBeFocused()
    await expect(around(page).getByText(/^alarms and errors, since /)).toBeVisible()

    await expect(around(page).getByRole('link', { name: new RegExp(tooEarly.description) })).toHaveCount(0)
    const other = around(page).getByRole('link', { name: new RegExp(`LOW ORC-\\d+: ${before.description}$`) })
    await other.click()
    await expect(page.getByRole('heading', { level: 1 })).toContainText(before.description)
    await expect(
      around(page).getByRole('img', { name: new RegExp(`this event: ${before.description}$`) }),
    ).toBeVisible()
  })

  test('new events appear automatically', async ({ pageOf, product }) => {
    const { alarms, instrument } = await quietInstrument(product)
    await alarms.tellStatuses(instrument, [{ status: 'ready', at: ago(5) }])
    const event = await alarms.raise(instrument, { words: 'Air in the inlet', at: ago(3) })
    const page = await pageOf('service')
    await openEvent(page, event.description)
    await expect(page.getByText(/^Live/)).toBeVisible()
    await expect(around(page).getByRole('list', { name: 'Statuses' })).toContainText('ready')
    await alarms.tellStatuses(instrument, [{ status: 'wash', at: new Date() }])
    await expect(around(page).getByRole('list', { name: 'Statuses' })).toContainText('wash')
    const next = await alarms.raise(instrument, { words: 'Waste is full', at: ago(1) })
    await expect(around(page).getByRole('link', { name: new RegExp(next.description) })).toBeVisible()
  })
})

test.describe('Prior Event Notification', () => {
  test('lists what was raised before on this instrument, newest first, and follows what becomes of it', async ({
    pageOf,
    product,
  }) => {
    const { alarms, instrument } = await quietInstrument(product)
    const first = await alarms.raise(instrument, { words: 'First of three' })
    const second = await alarms.raise(instrument, { words: 'Second of three' })
    const event = await alarms.raise(instrument, { words: 'Third of three' })
    const later = await alarms.raise(instrument, { words: 'After all of them' })
    const page = await pageOf('service')
    await openEvent(page, event.description)
    const rows = prior(page).getByRole('listitem')
    await expect(rows.nth(0)).toContainText(second.description)
    await expect(rows.nth(1)).toContainText(first.description)
    await expect(prior(page)).not.toContainText(later.description)
    await expect(prior(page)).not.toContainText(event.description)
    await expect(page.getByText(/^Live/)).toBeVisible()

    const colleague = await pageOf('support')
    await openEvent(colleague, second.description)
    await colleague.getByRole('button', { name: 'Owner: None' }).click()
    await colleague.getByRole('option', { name: 'Assign to me' }).click()
    await expect(rows.nth(0).getByRole('img', { name: 'In progress' })).toBeVisible()
    // What becomes of another event never touches the status bar of the one that is looked at.
    await expect(page.getByRole('button', { name: 'Owner: None' })).toBeVisible()

    await rows.nth(0).getByRole('link').click()
    await expect(page.getByRole('heading', { level: 1 })).toContainText(second.description)
  })
})

test('nothing that axe objects to, and nothing cut off, in both themes', async ({ pageOf, product }) => {
  const { alarms, instrument } = await quietInstrument(product)
  const statuses = [
    'ready',
    'wash',
    'method run',
    'hold',
    'paused',
    'alarms and errors',
    'disconnected',
    'Unknown',
  ] as const
  await alarms.tellStatuses(
    instrument,
    statuses.map((status, index) => ({ status, at: ago(6 - index / 2) })),
  )
  for (const severity of ['low', 'medium', 'high'] as const)
    await alarms.raise(instrument, { words: severity, severity, at: ago(severity.length), component: severity })
  const event = await alarms.raise(instrument, { words: 'In the middle', at: ago(2.5) })
  const page = await pageOf('service')
  await openEvent(page, event.description)
  await expect(around(page).getByRole('toolbar', { name: 'Status' }).getByRole('button')).toHaveCount(8)
  await expect(prior(page).getByRole('listitem').first()).toBeVisible()
  await around(page).getByText('Show as list').click()
  await expectGoodLook(page, 'around-event', {
    within: 'main',
  })
})
