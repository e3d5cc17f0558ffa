import type { Locator, Page } from '@playwright/test'
import { expect, test } from '../../fixtures.ts'
import { expectGoodLook } from '../../look.ts'

const rows = (page: Page) => page.locator('tbody tr[data-row]')
const chips = (page: Page) => page.getByRole('list', { name: 'Applied filters' })

async function openList(page: Page, address = '/events'): Promise<void> {
  await page.goto(address)
  await expect(rows(page).first()).toBeVisible()
}

async function openFilter(page: Page) {
  await page.getByRole('button', { name: /^Filter( \d+ chosen)?$/ }).click()
  const panel = page.getByRole('dialog', { name: 'Filter' })
  await expect(panel).toBeVisible()
  return panel
}

async function openRange(page: Page) {
  await page.getByRole('button', { name: /^Date range/ }).click()
  const panel = page.getByRole('dialog', { name: 'Date range' })
  await expect(panel.getByLabel('From')).toBeVisible()
  return panel
}

test.describe('the filter dropdown', () => {
  test('has every category, and a choice narrows the list after a moment', async ({ pageOf }) => {
    const page = await pageOf('support')
    await openList(page)
    await expect(page.getByText('No filters selected.')).toBeVisible()
    const panel = await openFilter(page)
    await expect(panel.getByRole('tab')).toHaveText([
      'Event status',
      'Event type',
      'Severity',
      'Owner',
      'Reason closed',
      'Module',
      'Component',
      'Instrument type',
      'Instrument status',
      'Run',
      'Contract SLA',
      'Contract clock',
      'Customer',
      'Region',
      'Country',
      'City',
      'Qualified system',
    ])
    await panel.getByRole('tab', { name: 'Country' }).click()
    await panel.getByRole('checkbox', { name: 'Sweden' }).check()
    await expect(page).toHaveURL(/filters=siteCountry%3DSweden/)
    await panel.getByRole('button', { name: 'Done' }).click()
    await expect(chips(page)).toContainText('Country Sweden')
    await expect(rows(page).filter({ hasNotText: 'Sweden' })).toHaveCount(0)
    await chips(page).getByRole('button', { name: 'Remove filter Country' }).click()
    await expect(page.getByText('No filters selected.')).toBeVisible()
  })

  test('has a search box above 5 values, lists that scroll inside 7.7 rem, and says where a choice finds no edge issues', async ({
    pageOf,
  }) => {
    const page = await pageOf('support')
    await openList(page)
    const panel = await openFilter(page)
    await panel.getByRole('tab', { name: 'Severity' }).click()
    await expect(panel.getByRole('checkbox')).toHaveCount(3)
    await expect(panel.getByRole('tabpanel').getByRole('searchbox')).toHaveCount(0)
    await panel.getByRole('tab', { name: 'Instrument type' }).click()
    const list = panel.getByRole('group', { name: 'Instrument type' })
    await expect(list.getByRole('checkbox', { name: 'Wave 25/Xuri' })).toBeAttached()
    const { height, content } = await list.evaluate((element) => ({
      height: element.getBoundingClientRect().height,
      content: element.scrollHeight,
    }))
    expect(height).toBeLessThanOrEqual(7.7 * 16)
    expect(content).toBeGreaterThan(height)
    await panel.getByLabel('Search Instrument type').fill('akta pilot')
    await expect(list.getByRole('checkbox')).toHaveCount(2)
    await panel.getByRole('tab', { name: 'Contract SLA' }).click()
    await expect(panel.getByText('Not available for Edge Issue events')).toHaveCount(1)
    await panel.getByRole('tab', { name: 'Customer' }).click()
    await expect(panel.getByText('Not available for Edge Issue events')).toHaveCount(0)
  })

  test('on a phone all statuses are in sight, each with its number beside it', async ({ pageOf }) => {
    const page = await pageOf('support', { width: 390 })
    await openList(page)
    const panel = await openFilter(page)
    await panel.getByRole('tab', { name: 'Event status' }).click()
    const list = panel.getByRole('group', { name: 'Event status' })
    for (const name of ['New', 'In progress', 'Closed'])
      await expect(list.getByRole('checkbox', { name })).toBeInViewport({ ratio: 1 })
    expect(await list.evaluate((element) => element.scrollHeight - element.clientHeight)).toBeLessThanOrEqual(0)
  })

  test('finds a value in every category, and leaves the table in sight', async ({ pageOf }) => {
    const page = await pageOf('support')
    await openList(page)
    const panel = await openFilter(page)
    // The search has the focus at once.
    await page.keyboard.type('helix')
    await panel.getByRole('group', { name: 'Customer' }).getByRole('checkbox', { name: 'Helix Biologics' }).check()
    await expect(page).toHaveURL(/filters=enterpriseName%3DHelix%20Biologics/)
    await expect(panel.getByRole('tab', { name: 'Customer 1 chosen' })).toBeVisible()
    const width = async (seen: Locator) => (await seen.boundingBox())?.width ?? 0
    expect(await width(panel)).toBeLessThan((await width(page.getByRole('table'))) / 2)
    await panel.getByRole('button', { name: 'Done' }).click()
    await expect(chips(page)).toContainText('Customer Helix Biologics')
  })

  test('says how many events each value would find, and takes the first value found by Enter', async ({ pageOf }) => {
    const page = await pageOf('support')
    await openList(page)
    const panel = await openFilter(page)
    await page.keyboard.type('helix')
    const found = panel.getByRole('group', { name: 'Customer' })
    const helix = found.getByRole('checkbox', { name: 'Helix Biologics' })
    await expect(helix).toHaveAccessibleDescription(/^[\d,]+$/)
    const count = await found.locator(`[id="${await helix.getAttribute('aria-describedby')}"]`).textContent()
    await page.keyboard.press('Enter')
    await expect(helix).toBeChecked()
    await expect(page).toHaveURL(/filters=enterpriseName%3DHelix%20Biologics/)
    await expect(page.getByTestId('totals')).toContainText(`${count} event`)
    // Its own choice does not restrict a category.
    await expect(helix).toHaveAccessibleDescription(count ?? '')
    await page.keyboard.press('Alt+Enter')
    await expect(page).toHaveURL(/enterpriseName!%3DHelix%20Biologics|enterpriseName%21%3DHelix%20Biologics/)
    await expect(helix).not.toBeChecked()
    await expect(panel.getByRole('button', { name: 'Exclude Helix Biologics', pressed: true })).toBeVisible()
  })

  test('names owners, and finds events without one', async ({ pageOf }) => {
    const page = await pageOf('support')
    await openList(page)
    const panel = await openFilter(page)
    await panel.getByRole('tab', { name: 'Owner' }).click()
    const owners = panel.getByRole('group', { name: 'Owner' }).locator('label')
    await expect(owners.first()).toHaveText('Me')
    await expect(owners.nth(1)).toHaveText('None')
    await expect(owners.nth(2)).toHaveText('Automatic')
    await panel.getByRole('checkbox', { name: 'None' }).check()
    await expect(page).toHaveURL(/owner%3Dnone/)
    await page.keyboard.press('Escape')
    await expect(chips(page)).toContainText('Owner None')
    await expect(rows(page).filter({ hasNotText: 'None' })).toHaveCount(0)
  })

  test('Could not get filter data: it says so, keeps what needs none, and tries again', async ({ pageOf }) => {
    const page = await pageOf('support')
    let failing = true
    await page.route('**/api/users/me/filters', (route) =>
      failing ? route.fulfill({ status: 403, body: '{}' }) : route.continue(),
    )
    await openList(page)
    await expect(page.locator('.mantine-Notifications-root').getByText('Could not get filter data')).toBeVisible()
    const panel = await openFilter(page)
    await expect(panel.getByRole('alert')).toContainText('Could not get filter data')
    await panel.getByRole('tab', { name: 'Severity' }).click()
    await expect(panel.getByRole('checkbox', { name: 'High' })).toBeVisible()
    failing = false
    await panel.getByRole('button', { name: 'Try again' }).click()
    await expect(panel.getByRole('alert')).toBeHidden()
    await panel.getByRole('tab', { name: 'Region' }).click()
    await expect(panel.getByRole('group', { name: 'Region' }).getByRole('checkbox').first()).toBeVisible()
  })
})

test.describe('saved filters', () => {
  test('a value that is not offered any more stays visible and can be taken away', async ({ pageOf }) => {
    const page = await pageOf('customer')
    await page.goto('/events?filters=siteCountry%3DAtlantis%2CSweden')
    await expect(chips(page)).toContainText('Country Atlantis, Sweden')
    const panel = await openFilter(page)
    await expect(panel.getByText('(not offered any more)')).toHaveCount(1)
    await panel.getByRole('checkbox', { name: /Atlantis/ }).uncheck()
    await expect(page).toHaveURL(/filters=siteCountry%3DSweden/)
  })
})

test.describe('the date range', () => {
  test('Invalid date format, and End date must be later than start date!', async ({ pageOf }) => {
    const page = await pageOf('support')
    await openList(page)
    const panel = await openRange(page)
    await panel.getByLabel('From').fill('soon')
    await expect(panel.getByText('Invalid date format')).toBeVisible()
    await expect(panel.getByRole('button', { name: 'Apply' })).toBeDisabled()
    await panel.getByLabel('From').fill('2 January 2026 10:00')
    await panel.getByLabel('To', { exact: true }).fill('1 January 2026 10:00')
    await expect(panel.getByText('End date must be later than start date!')).toBeVisible()
    await panel.getByLabel('To', { exact: true }).fill('02 January 2026 18:30')
    await panel.getByLabel('To', { exact: true }).press('Enter')
    await expect(page).toHaveURL(/start=2026-01-02T09:00:00.000Z&stop=2026-01-02T17:31:00.000Z/)
    await expect(page.getByRole('button', { name: 'Date range: 2 Jan 2026' })).toBeVisible()
  })

  test('later than today is clamped to today, and the calendar cannot pick the future', async ({ pageOf }) => {
    const page = await pageOf('support')
    await openList(page, '/events?stop=2099-01-01')
    const today = await page.evaluate(() => new Date().toDateString())
    const day = Number(today.split(' ')[2])
    await expect(page.getByRole('button', { name: new RegExp(`^Date range: .* ${day} `) })).toBeVisible()
    const panel = await openRange(page)
    await panel.getByLabel('To', { exact: true }).fill('31 December 2099 12:00')
    await panel.getByRole('button', { name: 'Apply' }).click()
    await expect(page.getByRole('button', { name: new RegExp(`^Date range: .* ${day} `) })).toBeVisible()
    await openRange(page)
    await expect(panel.getByRole('button', { name: 'Next month' })).toBeDisabled()
    const days = panel.locator('table button')
    const later = await days.evaluateAll((buttons, now) => {
      const isLater = (button: Element) => Date.parse(button.getAttribute('aria-label') ?? '') > Date.parse(now)
      return buttons.filter(isLater).map((button) => (button as HTMLButtonElement).disabled)
    }, today)
    expect(later).toEqual(later.map(() => true))
  })

  test('has presets; the default one leaves a clean address', async ({ pageOf }) => {
    const page = await pageOf('support')
    await openList(page)
    const panel = await openRange(page)
    await panel.getByRole('button', { name: 'Last 30 days' }).click()
    await expect(page).toHaveURL(/start=.*&stop=/)
    await openRange(page)
    await panel.getByRole('button', { name: 'Last 7 days' }).click()
    await expect(page).toHaveURL(/\/events$/)
  })
})

test('what opens above the list at each width, in both themes: in sight, nothing that axe objects to', async ({
  pageOf,
}) => {
  const page = await pageOf('support')
  await openList(page, '/events?filters=severity%3Dhigh%2Cmedium%3BinstrumentType%3DAKTAPure%2CAKTAAvant%2CWave25')
  for (const [name, open] of [
    ['filter', openFilter],
    ['range', openRange],
  ] as const) {
    const panel = await open(page)
    await expectGoodLook(page, name, { within: '[role=dialog]', inSight: panel })
    await page.keyboard.press('Escape')
    await expect(panel).toBeHidden()
  }
})
