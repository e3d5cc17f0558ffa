import type { Page } from '@playwright/test'
import { expect, test } from '../../fixtures.ts'
import { instrumentBehind } from '../../fleet.ts'

const toast = (page: Page, text: string | RegExp) => page.getByRole('alert').filter({ hasText: text })

test.describe('one event, from the alarm to the closed event', () => {
  test('it arrives, is found, taken and closed, and a colleague’s screen shows each step', async ({
    pageOf,
    alarms,
    product,
  }) => {
    const instrument = await instrumentBehind(product, alarms.gateway)
    const anna = await pageOf('support')
    const colleague = await pageOf('service')
    await anna.goto('/events')
    await colleague.goto('/events')
    await expect(anna.getByText(/^Live/)).toBeVisible()
    await expect(colleague.getByText(/^Live/)).toBeVisible()
    for (const page of [anna, colleague]) await expect(page.locator('tbody tr[data-row]').first()).toBeVisible()

    const alarm = await alarms.raise(instrument, { words: 'Pre-column pressure 6.4 MPa' })

    // A creation changes no list; it lights the bar, and a click loads it.
    const row = (page: Page) => page.getByRole('row').filter({ hasText: alarm.description })
    for (const page of [anna, colleague]) {
      const bar = page.getByRole('button', { name: /^\d+ new events?$/ })
      await expect(bar).toBeVisible()
      await expect(row(page)).toHaveCount(0)
      const [tab, head] = [await bar.boundingBox(), await page.locator('thead').boundingBox()]
      expect((tab?.y ?? 0) + (tab?.height ?? 0)).toBeLessThanOrEqual(head?.y ?? 0)
      await bar.click()
      await expect(row(page)).toBeVisible()
      await expect(row(page).getByRole('img', { name: 'New', exact: true })).toBeVisible()
    }

    await row(anna)
      .getByRole('link', { name: /^ORC-\d+$/ })
      .click()
    await expect(anna.getByRole('heading', { level: 1 })).toContainText(alarm.description)
    await expect(anna).toHaveURL(/\/events\/\d+$/)

    // Not the owner yet: the status is shown and can't be changed.
    await expect(anna.getByRole('button', { name: 'Status: New' })).toBeDisabled()
    await anna.getByRole('button', { name: 'Owner: None' }).click()
    await anna.getByRole('option', { name: 'Assign to me' }).click()
    await expect(toast(anna, /set as owner on event/)).toBeVisible()
    await expect(anna.getByRole('button', { name: 'Owner: Me' })).toBeVisible()
    await expect(row(colleague).getByRole('img', { name: 'In progress' })).toBeVisible()

    await anna.getByRole('button', { name: 'Status: In progress' }).click()
    await anna.getByRole('menuitem', { name: 'Closed…' }).click()
    const dialog = anna.getByRole('dialog', { name: /^Close event ORC-/ })
    await expect(dialog.getByRole('button', { name: 'Close event' })).toBeDisabled()
    await dialog.getByLabel('Reason').selectOption('Service Case Created')
    await dialog.getByLabel('Service case number').fill('1234')
    await expect(dialog.getByLabel('Service case number')).toHaveAttribute('aria-invalid', 'true')
    await expect(dialog.getByLabel('Case URL (optional)')).toHaveCount(0)
    await dialog.getByLabel('Service case number').fill('00123456')
    await dialog.getByLabel('Case URL (optional)').fill('https://cases.benchwatch.example/00123456')
    await dialog.getByRole('button', { name: 'Close event' }).click()
    await expect(toast(anna, 'Status: Closed - Service Case Created.')).toBeVisible()
    await expect(dialog).toHaveCount(0)

    await expect(row(colleague).getByRole('img', { name: 'Closed' })).toBeVisible()
    const history = anna.getByRole('region', { name: 'History' })
    await expect(history).toContainText(alarms.gateway)
    await expect(history).toContainText('00123456')
  })

  test('when two people take the same event, the second sees who was first', async ({ pageOf, alarms, product }) => {
    const instrument = await instrumentBehind(product, alarms.gateway)
    const alarm = await alarms.raise(instrument, { words: 'UV lamp intensity below threshold' })
    const first = await pageOf('support')
    await first.goto(`/events?keyword=${alarm.alertId.slice(-6)}`)
    const id = await first.getByRole('link', { name: /^ORC-\d+$/ }).textContent()
    const second = await pageOf('service')
    // The second person's line is down, so the claim of the first does not reach the screen.
    await second.routeWebSocket(/\/api\/live/, (socket) => socket.close({ code: 1012 }))
    await second.goto(`/events/${id?.replace('ORC-', '')}`)
    await expect(second.getByRole('button', { name: 'Owner: None' })).toBeVisible()
    await second.route('**/api/alarms/event/*', (route) => route.abort())

    await first.getByRole('link', { name: /^ORC-\d+$/ }).click()
    await first.getByRole('button', { name: 'Owner: None' }).click()
    await first.getByRole('option', { name: 'Assign to me' }).click()
    await expect(first.getByRole('button', { name: 'Owner: Me' })).toBeVisible()

    await second.getByRole('button', { name: 'Owner: None' }).click()
    await second.getByRole('option', { name: 'Assign to me' }).click()
    await expect(toast(second, 'Could not update owner')).toContainText('has changed in the meantime')
    await expect(second.getByRole('button', { name: /^Owner: (?!None)/ })).toBeVisible()
  })

  test('what the instrument clears is shown as returned to normal and stays open', async ({
    pageOf,
    alarms,
    product,
  }) => {
    const instrument = await instrumentBehind(product, alarms.gateway)
    const alarm = await alarms.raise(instrument, { words: 'Conductivity cell out of calibration' })
    const page = await pageOf('support')
    await page.goto(`/events?keyword=${alarm.alertId.slice(-6)}`)
    const row = page.getByRole('row').filter({ hasText: alarm.description })
    await expect(row).toBeVisible()
    await expect(page.getByText(/^Live/)).toBeVisible()
    const active = row.getByRole('img', { name: 'Still active' })
    await expect(active).toBeVisible()
    await row.getByRole('button', { name: /^Expand/ }).click()
    const explained = page.getByText('Still active: the instrument has not reported a return to normal')
    await expect(explained).toBeVisible()
    await alarms.clear(alarm)
    await expect(active).toHaveCount(0)
    await expect(explained).toHaveCount(0)
    await expect(row.getByRole('img', { name: 'New', exact: true }).first()).toBeVisible()
    await expect(page.getByText('Returned to normal')).toBeVisible()
  })
})
