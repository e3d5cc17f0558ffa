import type { Locator, Page } from '@playwright/test'
import { expect, test } from '../../fixtures.ts'
import { instrumentBehind } from '../../fleet.ts'
import { expectGoodLook } from '../../look.ts'

const rows = (page: Page) => page.locator('tbody tr[data-row]')
const rowOf = (page: Page, description: string) => rows(page).filter({ hasText: description })
const describeButton = (row: Locator) => row.locator('[data-action="describe"]')
const dropdown = (page: Page) => page.getByRole('dialog', { name: /^Description of ORC-/ })
const chooser = (page: Page) => page.getByRole('button', { name: /^Columns/ })
const heads = (page: Page) => page.getByRole('columnheader')

async function openList(page: Page, address = '/events'): Promise<void> {
  await page.goto(address)
  await expect(rows(page).first()).toBeVisible()
}

/** The demo's edge issues: what gateways that fell silent raised. */
const edgeIssues = '/events?keyword=gateway%20reported&start=2020-01-01T00:00:00Z&temporaryFilters=true'

test.describe('the rows of the event list', () => {
  test('instrument statuses are asked for every 10 s in one call for the rows shown, and changed in place', async ({
    pageOf,
    alarms,
    product,
  }) => {
    const subject = await instrumentBehind(product, alarms.gateway)
    const raised = await alarms.raise(subject, { words: 'Status' })
    const page = await pageOf('support')
    await page.clock.install()
    // Pushes stay out, so that the poll alone can tell.
    await page.routeWebSocket('**/api/live**', () => undefined)
    const asked: string[][] = []
    await page.route('**/api/instruments/instrument-statuses', async (route) => {
      asked.push(
        (route.request().postDataJSON() as { instrumentInstalledProductIds: string[] }).instrumentInstalledProductIds,
      )
      await route.continue()
    })
    await openList(page, `/events?keyword=${subject}`)
    const row = rowOf(page, raised.description)
    await expect(row).toBeVisible()
    for (const status of ['wash', 'hold'] as const) {
      await alarms.tellStatuses(subject, [{ status, at: new Date() }])
      await page.clock.runFor(11_000)
      await expect(row.getByRole('img', { name: `Instrument status: ${status}`, exact: true })).toBeVisible()
    }
    for (const ids of asked) expect(ids).toEqual([subject])
  })

  test('a failing poll is quiet: the last status stays, and after a minute says since when', async ({ pageOf }) => {
    const page = await pageOf('service')
    await page.clock.install()
    await page.route('**/api/instruments/instrument-statuses', (route) => route.fulfill({ status: 503, body: '{}' }))
    await openList(page)
    const dot = page.getByRole('img', { name: /^Instrument status: / }).first()
    await expect(dot).toHaveAttribute('title', /^Instrument status: [^,]+$/)
    await page.clock.runFor(100_000)
    await expect(dot).toHaveAttribute('title', /, as of \d\d:\d\d$/)
    await expect(page.getByRole('alert')).toHaveCount(0)
  })
})

test.describe('the event description dropdown', () => {
  test('names what happened, with links to the instrument and the event, and closes without losing the place', async ({
    pageOf,
  }) => {
    const page = await pageOf('support')
    await openList(page, '/events?filters=instrumentType%3DAKTAPure&temporaryFilters=true')
    const row = rows(page).first()
    const name = (await row.getByRole('link').textContent()) ?? ''
    const button = describeButton(row)
    await button.click()
    const panel = dropdown(page)
    for (const label of [
      'Date generated',
      'Module',
      'Installed product ID',
      'Instrument',
      'Error id',
      'Severity',
      'SLA/Tier',
    ])
      await expect(panel.getByText(label, { exact: true })).toBeVisible()
    await expect(panel.getByRole('region', { name: 'Troubleshooting' })).not.toContainText('Loading')
    const product = panel.getByRole('link', { name: /^IP-/ })
    await expect(product).toHaveAttribute('href', `/instruments/${await product.textContent()}`)
    await page.keyboard.press('Escape')
    await expect(panel).toHaveCount(0)
    await expect(button).toBeFocused()
    await page.keyboard.press('Enter')
    await panel.getByRole('link', { name: 'View Event Details' }).click()
    await expect(page).toHaveURL(`/events/${name.replace('ORC-', '')}`)
  })

  test("of an edge issue names gateway and location, and 'View connected instruments (n)' opens just these", async ({
    pageOf,
  }) => {
    const page = await pageOf('support')
    await openList(page, edgeIssues)
    const row = rows(page).first()
    await expect(row).toContainText(/GW-\w+-\d+/)
    await describeButton(row).click()
    const panel = dropdown(page)
    await expect(panel.getByText('Gateway', { exact: true })).toBeVisible()
    await expect(panel.getByText('Location', { exact: true })).toBeVisible()
    await expect(panel.getByText('Module', { exact: true })).toHaveCount(0)
    const link = panel.getByRole('link', { name: /^View connected instruments \(\d+\)$/ })
    const count = Number(/\d+/.exec((await link.textContent()) ?? '')?.[0])
    const href = (await link.getAttribute('href')) ?? ''
    expect(href).toMatch(
      /^\/instruments\?temporaryFilters=true&instrumentFamily=All&instruments=(IP-\d+,?)+&keyword=&page=1&pageSize=12$/,
    )
    const { searchParams } = new URL(href, 'http://console.example')
    expect(searchParams.get('instruments')?.split(',')).toHaveLength(count)
  })
})

test.describe('the columns', () => {
  test('are shown, hidden and moved; the address says which, and this browser remembers', async ({ pageOf }) => {
    const page = await pageOf('service')
    await openList(page)
    await expect(heads(page)).toHaveCount(14)
    await chooser(page).click()
    await page.getByRole('checkbox', { name: 'Location' }).uncheck()
    await expect(heads(page).filter({ hasText: 'Location' })).toHaveCount(0)
    await page.getByRole('button', { name: 'Move Event up' }).click()
    await expect(page).toHaveURL(/columns=severity,eventId,age,/)
    await page.keyboard.press('Escape')
    await expect(chooser(page)).toBeFocused()
    await page.goto('/events')
    await expect(heads(page)).toHaveCount(13)
    await expect(page).toHaveURL(/columns=severity,eventId,age,/)
    await chooser(page).click()
    await page.getByRole('button', { name: 'Default columns' }).click()
    await expect(page).not.toHaveURL(/columns=/)
    await expect(heads(page)).toHaveCount(14)
  })
})

test('rows, selection, description and columns look well at each width, in both themes', async ({ pageOf }) => {
  test.setTimeout(120_000)
  const page = await pageOf('support')
  await openList(page, edgeIssues)
  await rows(page).nth(0).getByRole('checkbox').check()
  await rows(page).nth(2).getByRole('checkbox').check()
  await rows(page)
    .nth(1)
    .getByRole('button', { name: /^Expand/ })
    .click()
  await expect(page.getByRole('link', { name: 'Event details' })).toBeVisible()
  await expectGoodLook(page, 'rows-expanded', { within: 'main' })
  await describeButton(rows(page).nth(0)).click()
  await expect(dropdown(page).getByRole('link', { name: /^View connected/ })).toBeVisible()
  await expectGoodLook(page, 'rows-description', { within: '[role=dialog]', inSight: dropdown(page) })
  await page.keyboard.press('Escape')
  await chooser(page).click()
  await page.getByRole('checkbox', { name: 'Customer' }).uncheck()
  await expect(page).toHaveURL(/columns=/)
  await expectGoodLook(page, 'rows-columns', { within: '[role=dialog]' })
})
