import { expect, test } from '../../fixtures.ts'
import { instrumentBehind } from '../../fleet.ts'
import { expectNoObjections } from '../../look.ts'

test.describe('the event list', () => {
  test('the address says what is shown: filters, sort and page survive a reload and a copy', async ({ pageOf }) => {
    const page = await pageOf('support')
    await page.goto('/events')
    await expect(page.getByRole('row')).toHaveCount(13)
    await page.getByTitle('Sort by customer').click()
    await expect(page).toHaveURL(/orderBy=enterpriseName/)
    await expect(page.getByRole('columnheader', { name: /Customer/ })).toHaveAttribute('aria-sort', 'ascending')
    await page.getByTitle('Sort by customer').click()
    await expect(page.getByRole('columnheader', { name: /Customer/ })).toHaveAttribute('aria-sort', 'descending')
    const second = page.getByRole('button', { name: 'Page 2', exact: true })
    await second.click()
    await expect(page).toHaveURL(/page=2/)
    await expect(second).toHaveAttribute('aria-current', 'page')
    // The rows before are shown until the new ones are there.
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
    await second.hover()
    await expectNoObjections(page, 'nav[aria-label="Pages"]')
    const before = await page.getByRole('link', { name: /^ORC-/ }).allTextContents()
    await page.reload()
    await expect(page.getByRole('link', { name: /^ORC-/ })).toHaveText(before)
  })

  test('the first list of a session takes at most 30 requests', async ({ pageOf }) => {
    const page = await pageOf('support', { isNew: true })
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    await page.goto('/events', { waitUntil: 'networkidle' })
    await expect(page.locator('tbody tr[data-row]').first()).toBeVisible()
    expect(requests.filter((url) => url.endsWith('.js')).length).toBeGreaterThan(0)
    expect(requests.length, requests.join('\n')).toBeLessThanOrEqual(30)
  })

  test('a keyword finds ÄKTA by akta, and nothing that lacks a word', async ({ pageOf }) => {
    const page = await pageOf('support')
    await page.goto('/events')
    await expect(page.locator('tbody tr[data-row]').first()).toBeVisible()
    await page.keyboard.press('/')
    await page.keyboard.type('akta helix')
    await expect(page).toHaveURL(/keyword=akta/)
    const rows = page.locator('tbody tr[data-row]')
    for (const word of ['ÄKTA', 'Helix Biologics']) await expect(rows.filter({ hasNotText: word })).toHaveCount(0)
    await expect(rows.first()).toBeVisible()
  })

  test('a quick filter shows just what its counter counts', async ({ pageOf }) => {
    const page = await pageOf('support')
    await page.goto('/events')
    const counter = page.getByRole('button', { name: /No owner 2 hrs \+/ })
    await expect(counter.locator('strong')).toHaveText(/^[\d,]+$/)
    const count = Number((await counter.locator('strong').textContent())?.replace(/,/g, ''))
    expect(count).toBeGreaterThan(0)
    await counter.click()
    await expect(page).toHaveURL(/quick=noOwner/)
    await expect(page.getByTestId('totals')).toContainText(`${count.toLocaleString('en')} event`)
  })

  test('pages: an ellipsis above 4 of them, and 12, 25, 50, 75 or 100 rows on one', async ({ pageOf }) => {
    const page = await pageOf('support')
    await page.goto('/events?page=2')
    await expect(page.getByRole('navigation', { name: 'Pages' })).toContainText('…')
    const size = page.getByLabel('Rows per page')
    await expect(size.locator('option')).toHaveText(['12 / page', '25 / page', '50 / page', '75 / page', '100 / page'])
    await size.selectOption('100')
    await expect(page).toHaveURL(/\/events\?pageSize=100$/)
    await expect(page.locator('tbody tr[data-row]')).toHaveCount(100)
  })

  test('severity and status filters narrow the list and can be taken away one by one', async ({
    pageOf,
    alarms,
    product,
  }) => {
    // The demo of some days has no new event of high severity.
    await alarms.raise(await instrumentBehind(product, alarms.gateway), {
      words: 'Filtered pressure',
      severity: 'high',
    })
    const page = await pageOf('support')
    await page.goto('/events?filters=severity%3Dhigh%3BalertStatus%3D1_NEW')
    const rows = page.locator('tbody tr[data-row]')
    await expect(rows.first()).toBeVisible()
    for (const row of await rows.all()) {
      await expect(row).toContainText('HIGH')
      await expect(row.getByRole('img', { name: 'New', exact: true })).toBeVisible()
    }
    await page.getByRole('button', { name: /Remove filter Severity/ }).click()
    await expect(page).not.toHaveURL(/severity/)
    await expect(page).toHaveURL(/alertStatus/)
  })

  test('open events older than the range are one click away', async ({ pageOf }) => {
    const page = await pageOf('support')
    await page.goto('/events')
    const older = page.getByRole('button', { name: /open events? (is|are) older/ })
    const count = Number(/[\d,]+/.exec((await older.textContent()) ?? '')?.[0].replace(/,/g, ''))
    await older.click()
    await expect(page.getByTestId('totals')).toContainText(`${count.toLocaleString('en')} event`)
  })

  test('an empty result says so and offers the way out', async ({ pageOf }) => {
    const page = await pageOf('support')
    await page.goto('/events?keyword=zzzzzzzz')
    await expect(page.getByText('No events found')).toBeVisible()
    await page.getByRole('button', { name: 'Clear search and filters' }).click()
    await expect(page.locator('tbody tr[data-row]').first()).toBeVisible()
  })

  test('a failing list says so and tries again', async ({ pageOf }) => {
    const page = await pageOf('support')
    let failing = true
    await page.route('**/api/alarms?*', (route) =>
      failing ? route.fulfill({ status: 403, body: '{}' }) : route.continue(),
    )
    await page.goto('/events')
    await expect(page.getByText('Could not get events')).toBeVisible()
    failing = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.locator('tbody tr[data-row]').first()).toBeVisible()
  })
})
