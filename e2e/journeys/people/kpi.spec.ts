import type { Page } from '@playwright/test'
import { objectionsWithFrames } from '../../axe.ts'
import { readCsv } from '../../csv.ts'
import { expect, test } from '../../fixtures.ts'

const frame = (page: Page) => page.frameLocator('iframe[title="Service overview"]')
const panel = (page: Page, name: string) => frame(page).getByRole('region', { name })

const choosePeriod = (page: Page, name: string) =>
  frame(page).getByRole('radiogroup', { name: 'Days' }).getByText(name, { exact: true }).click()

/** The figure of a tile, as a number. */
async function headline(page: Page, name: string): Promise<number> {
  const tile = frame(page).getByRole('region', { name: 'Headline figures' }).locator('dl').filter({ hasText: name })
  const value = tile.getByRole('definition').first()
  await expect(value).toHaveText(/\d/)
  return Number((await value.innerText()).replaceAll(',', ''))
}

/** Every table has arrived. */
async function allTables(page: Page): Promise<void> {
  await expect(panel(page, 'Usage due soon')).toBeVisible()
  await expect(frame(page).locator('[role="status"], [data-stale]')).toHaveCount(0)
}

test.describe('KPI', () => {
  test('an embedded dashboard, whose days and customers are chosen, read as tables, exported, and survive a reload', async ({
    pageOf,
    product,
  }) => {
    const page = await pageOf('support')
    await page.goto('/events')
    const answered = page.waitForResponse('**/api/kpi/overview')
    await page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: 'KPI' }).click()
    const { dashboardEmbedUrl } = (await (await answered).json()) as { dashboardEmbedUrl: string }
    expect(dashboardEmbedUrl).toMatch(/^\/kpi-embed\/#token=/)
    await allTables(page)
    // The token stays nowhere where it could be copied.
    expect(page.frames().map((one) => one.url())).toContain(`${product.baseUrl}/kpi-embed/`)
    const everybody = await headline(page, 'Events')

    await choosePeriod(page, '90 days')
    await expect(page).toHaveURL(`${product.baseUrl}/kpi?days=90`)
    await frame(page).getByRole('button', { name: 'All customers' }).click()
    const customers = frame(page).getByRole('dialog', { name: 'Customers' })
    await customers.getByRole('searchbox').fill('helix')
    await customers.getByRole('checkbox', { name: 'Helix Biologics' }).check()
    await customers.getByRole('button', { name: 'Apply' }).click()
    await page.waitForURL((url) => url.searchParams.get('customers') === '["Helix Biologics"]')
    await allTables(page)
    const own = await headline(page, 'Events')
    expect(own).toBeGreaterThan(0)

    await page.reload()
    await allTables(page)
    await expect(frame(page).getByRole('radio', { name: '90 days' })).toBeChecked()
    await expect(frame(page).getByRole('button', { name: 'Helix Biologics', expanded: false })).toBeVisible()
    const contracts = panel(page, '24-hour contracts met and missed')
    await contracts.getByRole('button', { name: /^Table/ }).click()
    await expect(contracts.getByRole('row')).toHaveCount(2)
    await expect(contracts.getByRole('cell', { name: 'Helix Biologics' })).toBeVisible()

    const download = page.waitForEvent('download')
    await panel(page, 'Events by severity')
      .getByRole('button', { name: /^Export/ })
      .click()
    const file = await download
    expect(file.suggestedFilename()).toMatch(/^event-rate_\d{4}-\d\d-\d\d_\d{4}-\d\d-\d\d\.csv$/)
    const rows = await readCsv(file)
    expect(rows).toHaveLength(90)
    expect(Object.keys(rows[0] ?? {})).toEqual(['Day', 'High', 'Medium', 'Low', 'All'])
    expect(rows.reduce((sum, row) => sum + Number(row.All), 0)).toBe(own)

    await choosePeriod(page, 'From – to')
    const [from, to] = [frame(page).getByLabel('From', { exact: true }), frame(page).getByLabel('To', { exact: true })]
    await from.fill('2026-02-02')
    await to.fill('2026-02-01')
    await frame(page).getByRole('button', { name: 'Apply', exact: true }).click()
    await expect(frame(page).getByRole('alert')).toHaveText('The end date must not be before the start date.')
    await to.fill('2026-02-03')
    await frame(page).getByRole('button', { name: 'Apply', exact: true }).click()
    await page.waitForURL((url) => url.searchParams.get('to') === '2026-02-03')
    await expect(frame(page).getByText('02-Feb-2026 to 03-Feb-2026')).toBeVisible()

    await page.goto('/kpi')
    await allTables(page)
    expect(await headline(page, 'Events')).toBeGreaterThanOrEqual(everybody)
  })

  test('charts are read by keyboard, and printed in light without their controls', async ({ pageOf }) => {
    const page = await pageOf('service', { colorScheme: 'dark' })
    await page.goto('/kpi?days=7')
    await allTables(page)
    const reader = frame(page).getByRole('slider', { name: 'Events per day' })
    await reader.focus()
    const today = await reader.getAttribute('aria-valuetext')
    expect(today).toMatch(/^\d\d-\w{3}-\d{4}, so far: [\d,]+ events? · High \d+ · Medium \d+ · Low \d+$/)
    await page.keyboard.press('ArrowLeft')
    await expect(reader).not.toHaveAttribute('aria-valuetext', today ?? '')

    const root = frame(page).locator('html')
    await expect(root).toHaveAttribute('data-mantine-color-scheme', 'dark')
    await page.emulateMedia({ media: 'print' })
    await root.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
    await expect(root).toHaveAttribute('data-mantine-color-scheme', 'light')
    // Names that lead to their events stay, as texts.
    await expect(frame(page).getByRole('button', { name: /^(Table|Export|Refresh|Print)\b/ })).toHaveCount(0)
    const widths = await frame(page)
      .locator('section:has(h2)')
      .evaluateAll((all) => new Set(all.map((one) => Math.round(one.getBoundingClientRect().left))).size)
    expect(widths, 'one column').toBe(1)
    await root.evaluate(() => window.dispatchEvent(new Event('afterprint')))
    await expect(root).toHaveAttribute('data-mantine-color-scheme', 'dark')
  })

  test('a figure and a row open the events behind them in the console, and the way back is open', async ({
    pageOf,
  }) => {
    const page = await pageOf('support')
    await page.goto('/kpi?days=90')
    await allTables(page)
    await expect(frame(page).getByText('against the 90 days before').first()).toBeVisible()
    await frame(page).getByRole('button', { name: 'Open now' }).click()
    await expect(page).toHaveURL(/\/events\?(?=.*alertStatus=1_NEW)(?=.*start=1970)/)
    await expect(page.getByRole('heading', { name: 'Service Events' })).toBeVisible()
    await page.goBack()
    await allTables(page)
    const reasons = panel(page, 'Reasons closed')
      .getByRole('button')
      .filter({ hasNotText: /Table|Export/ })
    const reason = await reasons.first().innerText()
    await reasons.first().click()
    await expect(page.getByRole('list', { name: 'Applied filters' })).toContainText(reason)
  })

  test('the frame asks the console for another token before its own ends', async ({ pageOf }) => {
    const page = await pageOf('support')
    await page.clock.install()
    await page.goto('/kpi')
    await allTables(page)
    await page.clock.fastForward('04:45')
    const renewed = page.waitForResponse('**/api/kpi/overview')
    const asked = page.waitForRequest('**/api/kpi-embed/tables/**')
    await choosePeriod(page, '7 days')
    const { dashboardEmbedUrl } = (await (await renewed).json()) as { dashboardEmbedUrl: string }
    const token = (await asked).headers().authorization?.replace('Bearer ', '')
    // Compared with the new one alone: of the same second both would be the same.
    expect(token).toMatch(/^\S{100,}$/)
    expect(dashboardEmbedUrl).toContain(token)
    await allTables(page)
  })

  test('/kpi is forbidden where nothing is allowed, and has no icon then', async ({ pageOf }) => {
    const page = await pageOf('customer')
    const allowed = page.waitForResponse('**/api/kpi/urls')
    await page.goto('/kpi')
    expect(await (await allowed).json()).toEqual([])
    await expect(page.getByRole('heading', { name: 'You can’t open this page' })).toBeVisible()
    await expect(page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: 'KPI' })).toHaveCount(0)
  })

  test('several dashboards are tabs; one that cannot be loaded says so, and can be tried again', async ({ pageOf }) => {
    const page = await pageOf('support')
    const dashboards = [
      { id: 'overview', name: 'Service overview' },
      { id: 'quality', name: 'Quality of answers' },
    ]
    await page.route('**/api/kpi/urls', (route) => route.fulfill({ json: dashboards }))
    await page.goto('/kpi')
    await allTables(page)
    // The server has no such dashboard.
    await page.getByRole('link', { name: 'Quality of answers' }).click()
    await expect(page).toHaveURL(/\/kpi\?dashboard=quality$/)
    await expect(page.getByRole('alert')).toContainText('The key figures could not be loaded')
    await page.route('**/api/kpi/quality', (route) =>
      route.fulfill({ json: { dashboardEmbedUrl: '/api/health', expiresAt: new Date().toISOString() } }),
    )
    await page.getByRole('button', { name: 'Try again' }).click()
    // An answer that is no dashboard is not shown as one.
    await expect(page.getByRole('alert')).toContainText('The server did not return a dashboard.')
    await page.getByRole('link', { name: 'Service overview' }).click()
    await allTables(page)
  })

  test('at every width and in both themes nothing overflows, and axe has no objection within the frame', async ({
    pageOf,
  }) => {
    const page = await pageOf('support')
    await page.goto('/kpi')
    await allTables(page)
    await panel(page, 'Gateway uptime')
      .getByRole('button', { name: /^Table/ })
      .click()
    for (const theme of ['light', 'dark'] as const) {
      if (theme === 'dark') await page.getByRole('button', { name: 'Switch to dark theme' }).click()
      await expect(frame(page).locator('html')).toHaveAttribute('data-mantine-color-scheme', theme)
      for (const width of [1440, 1024, 390]) {
        await page.setViewportSize({ width, height: 844 })
        for (const within of [page.locator('html'), frame(page).locator('html')]) {
          const overflow = () => within.evaluate((root) => root.scrollWidth - root.clientWidth)
          // Charts measure their place once it has changed.
          await expect.poll(overflow, { message: `${width} px, ${theme}`, intervals: [50] }).toBeLessThanOrEqual(0)
        }
      }
      expect(await objectionsWithFrames(page)).toEqual([])
    }
  })
})
