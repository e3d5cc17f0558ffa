import type { Locator, Page } from '@playwright/test'
import { expect, test } from '../../fixtures.ts'
import { expectNoObjections } from '../../look.ts'
import { Registry } from '../../registry.ts'

const HOUR = 3_600_000
const ago = (hours: number) => new Date(Date.now() - hours * HOUR)
const timeline = (page: Page) => page.getByRole('region', { name: 'Time line' })
/** The text of the option that begins with the run. */
const optionOf = async (viewer: Locator, run: string) =>
  (await viewer.getByRole('option').filter({ hasText: run }).textContent()) ?? ''
const reading = (page: Page, words: string) => timeline(page).getByRole('definition').filter({ hasText: words })

test.describe('the time line of an instrument', () => {
  test('shows runs, and leads from one to all of its alarms, which are one export, and to its log lines', async ({
    pageOf,
    product,
  }) => {
    const { alarms, instrument } = await (await Registry.of(product)).laboratory()
    const run = `Lot ${instrument.slice(-6)}`
    const within = await alarms.raise(instrument, { words: 'Pressure above limit', at: ago(5) })
    const outside = await alarms.raise(instrument, { words: 'Lamp is weak', at: ago(1) })
    await alarms.tellLog(instrument, {
      logType: 'VID',
      lines: [
        { timestamp: ago(5).toISOString(), message: 'Fraction collected' },
        { timestamp: ago(1).toISOString(), message: 'Idle' },
      ],
    })
    // Gateways send alarms first.
    await alarms.tellStatuses(instrument, [
      { status: 'method run', at: ago(6), run },
      { status: 'ready', at: ago(3) },
    ])
    const page = await pageOf('service')
    await page.goto(`/instruments/${instrument}?span=24h`)
    await timeline(page)
      .getByRole('toolbar', { name: 'Runs' })
      .getByRole('button', { name: new RegExp(`^Run ${run}, .* \\(3 h\\)$`) })
      .click()
    await page
      .getByRole('dialog', { name: `Run ${run}` })
      .getByRole('link', { name: 'All alarms of this run' })
      .click()
    await expect(page).toHaveURL(/\/events\?.*run(=|%3D)Lot/)
    const rows = page.locator('tbody tr[data-row]')
    await expect(rows).toHaveCount(1)
    await expect(rows).toContainText(within.description)
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    await expect(page.getByRole('dialog', { name: 'Export' })).toContainText('Export 1 event')
    await page.keyboard.press('Escape')

    await rows.getByRole('link', { name: /^ORC-/ }).click()
    const fact = page.getByRole('button', { name: run, exact: true })
    await expect(fact).toBeVisible()
    await page.getByRole('button', { name: 'View Logs' }).click()
    await page.getByRole('button', { name: 'VID Service' }).click()
    const viewer = page.getByRole('dialog').filter({ hasText: 'VID Service' })
    await viewer.getByLabel('Run', { exact: true }).selectOption({ label: await optionOf(viewer, run) })
    await expect(viewer).toContainText('Fraction collected')
    await expect(viewer).not.toContainText('Idle')
    await page.keyboard.press('Escape')
    await fact.click()
    await expect(page).toHaveURL(/\/events\?.*run(=|%3D)Lot/)
    await expect(page.getByText(outside.description)).toHaveCount(0)
  })

  test('puts statuses and events on one axis, zooms, keeps the span in the address and follows what happens', async ({
    pageOf,
    product,
  }) => {
    const { alarms, instrument } = await (await Registry.of(product)).laboratory()
    await alarms.tellStatuses(instrument, [
      { status: 'ready', at: ago(60) },
      { status: 'method run', at: ago(30) },
      { status: 'alarms and errors', at: ago(6) },
    ])
    const first = await alarms.raise(instrument, { words: 'Lamp is weak', severity: 'low', at: ago(30) })
    const second = await alarms.raise(instrument, { words: 'Pressure above limit', at: ago(6) })
    const page = await pageOf('service')
    await page.goto(`/instruments/${instrument}`)
    const statuses = timeline(page).getByRole('list', { name: 'Statuses' })
    await expect(statuses).toContainText('method run')
    await expect(reading(page, 'alarms and errors since')).toBeVisible()

    // Closer, by button and by the address; back leads to where one was.
    await timeline(page).getByText('24 h', { exact: true }).click()
    await expect(page).toHaveURL(/span=24h/)
    await expect(timeline(page).getByRole('button', { name: new RegExp(second.description) })).toBeVisible()
    await expect(timeline(page).getByRole('button', { name: new RegExp(first.description) })).toHaveCount(0)
    await timeline(page).getByRole('button', { name: 'Earlier' }).click()
    await expect(page).toHaveURL(/span=2\d{3}-/)
    await expect(timeline(page).getByRole('button', { name: new RegExp(first.description) })).toBeVisible()
    await page.reload()
    await expect(timeline(page).getByRole('button', { name: new RegExp(first.description) })).toBeVisible()
    await page.goBack()
    await expect(page).toHaveURL(/span=24h/)

    // By keyboard alone: the cross-hair reads what held, + zooms around it.
    const hair = timeline(page).getByRole('slider', { name: 'Point in time' })
    await hair.focus()
    await page.keyboard.press('Home')
    await expect(hair).toHaveAttribute('aria-valuetext', /Status: method run since .* \(1 day\)/)
    await page.keyboard.press('+')
    await expect(page).toHaveURL(/span=2\d{3}-/)

    await timeline(page).getByText('7 days', { exact: true }).click()
    await expect(page).not.toHaveURL(/span=/)
    await timeline(page)
      .getByRole('button', { name: new RegExp(second.description) })
      .click()
    const details = page.getByRole('dialog', { name: 'Events at this time' })
    await expect(details).toContainText(second.description)
    await page.keyboard.press('Escape')
    await expect(details).toBeHidden()

    await timeline(page).getByText('Show as list').click()
    const list = timeline(page).getByRole('list', { name: 'Time line, newest first' })
    await expect(list.getByRole('listitem').first()).toContainText(/Status|Connection|ORC-/)
    await expect(list).toContainText(first.description)

    // What happens meanwhile is there by itself.
    await expect(page.getByText(/^Live/)).toBeVisible()
    await alarms.tellStatuses(instrument, [{ status: 'wash', at: new Date() }])
    await expect(statuses).toContainText('wash')

    await expectNoObjections(page, 'section:has(> div h2)')

    await timeline(page)
      .getByRole('button', { name: new RegExp(first.description) })
      .click()
    await details.getByRole('link').click()
    await expect(page.getByRole('heading', { level: 1 })).toContainText(first.description)
  })
})
