import type { Page } from '@playwright/test'
import { expect, test } from '../../fixtures.ts'
import { instrumentBehind } from '../../fleet.ts'
import { atEachWidth, expectNoObjections } from '../../look.ts'
import { rowsInSight } from '../../rows-in-sight.ts'

/** Long enough that every site of the demo has events. */
const RANGE = 'start=2026-01-01T00:00:00Z'

const marks = (page: Page) => page.locator('.leaflet-marker-icon')
const panel = (page: Page) => page.getByRole('region', { name: 'Events by country' })

async function openMap(page: Page, search = RANGE): Promise<void> {
  await page.goto(`/events?view=map&${search}`)
  await expect(marks(page).first()).toBeVisible()
}

async function totals(page: Page): Promise<string> {
  const line = page.getByTestId('totals')
  await expect(line).not.toContainText('–')
  return (await line.textContent()) ?? ''
}

test.describe('the map of events', () => {
  test('toggle between List and Map: filters, keyword and range hold, and the totals are the same', async ({
    pageOf,
  }) => {
    const page = await pageOf('support')
    await page.goto(`/events?${RANGE}&keyword=pump&filters=severity%3Dhigh,medium`)
    await expect(page.locator('tbody tr[data-row]').first()).toBeVisible()
    const listed = await totals(page)
    const quick = page.getByRole('group', { name: 'Quick filters' })
    await expect(quick).not.toContainText('–')
    const counters = await quick.textContent()
    await page.getByRole('radio', { name: 'Map' }).check()
    await expect(page).toHaveURL(/view=map/)
    await expect(marks(page).first()).toBeVisible()
    await expect(page.getByTestId('totals')).toHaveText(listed)
    await expect(quick).toHaveText(counters ?? '')
    for (const title of await marks(page).evaluateAll((all) => all.map((mark) => mark.getAttribute('title') ?? ''))) {
      expect(title).not.toContain('LOW')
    }
    await page.getByRole('button', { name: /24 hour support/ }).click()
    await expect(page).toHaveURL(/quick=fullSupport/)
    await expect(page).toHaveURL(/view=map/)
    await page.getByRole('radio', { name: 'List' }).check()
    await expect(page.locator('tbody tr[data-row]').first()).toBeVisible()
    await expect(page).toHaveURL(/keyword=pump/)
  })

  test('a side panel lists countries, then events, by keyboard alone; an event opens its details', async ({
    pageOf,
  }) => {
    const page = await pageOf('support')
    await openMap(page)
    // Legend and controls are outside the map, so that they cover no mark.
    await atEachWidth(page, async () => {
      const bottom = await page
        .getByRole('region', { name: 'Map of events' })
        .evaluate((map) => map.getBoundingClientRect().bottom)
      for (const beside of [
        page.getByRole('toolbar', { name: 'Map' }),
        page.getByText('Worst open severity').locator('../..'),
      ]) {
        expect(await beside.evaluate((element) => element.getBoundingClientRect().top)).toBeGreaterThanOrEqual(bottom)
      }
    })
    const countries = panel(page).getByRole('list', { name: 'Countries' })
    const first = countries.getByRole('button').first()
    const name = ((await first.textContent()) ?? '').replace(/(HIGH|MED|LOW).*$/s, '')
    await first.focus()
    await page.keyboard.press('Enter')
    await expect(panel(page).getByRole('heading', { name, exact: true })).toBeFocused()
    const event = panel(page).getByRole('list', { name: 'Events' }).getByRole('listitem').first()
    await expect(event).toContainText(/(HIGH|MED|LOW)ORC-\d+/)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/events\/\d+$/)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  })

  test('cluster click: mixed positions open a popup that lists their events, and Escape closes it', async ({
    pageOf,
  }) => {
    const page = await pageOf('support')
    // A window in which the popup could be higher than its ten rows.
    await page.setViewportSize({ width: 1440, height: 1300 })
    await openMap(page)
    const mixed = marks(page).and(page.locator('[title*="places"]')).first()
    const title = await mixed.getAttribute('title')
    await mixed.focus()
    await page.keyboard.press('Enter')
    const popup = page.getByRole('dialog', { name: 'Events at this place' })
    await expect(popup).toContainText(title ?? '')
    const details = popup.getByRole('link', { name: /^Event details: .*ORC-/ })
    await expect(details.first()).toBeVisible()
    await expect(details.first()).toHaveAttribute('href', /^\/events\/\d+$/)
    await expect(popup.getByRole('listitem').nth(10)).toBeAttached()
    await expectNoObjections(page)
    await expect.poll(() => rowsInSight(popup.getByRole('listitem'), popup)).toBe(10)
    await details.first().focus()
    await page.keyboard.press('Escape')
    await expect(popup).toHaveCount(0)
  })

  test('same position zooms to bounds and, where it can’t zoom further, opens the popup as well', async ({
    pageOf,
  }) => {
    const page = await pageOf('support')
    await openMap(page, `${RANGE}&map=59.86,17.64,8`)
    await marks(page).first().click()
    await expect(page).toHaveURL(/map=[\d.]+,[\d.]+,10/)
    await expect(page.getByRole('dialog', { name: 'Events at this place' })).toHaveCount(0)
    await marks(page).first().click()
    await expect(page.getByRole('dialog', { name: 'Events at this place' })).toBeVisible()
  })

  test('the address restores which part of the world was looked at', async ({ pageOf }) => {
    const page = await pageOf('support')
    await openMap(page)
    await expect(page).not.toHaveURL(/map=/)
    await page.keyboard.press('?')
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toContainText('Zoom to all results')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.keyboard.press('z')
    await expect(page).toHaveURL(/map=[-\d.]+,[-\d.]+,3/)
    await page.getByRole('button', { name: 'Zoom in' }).click()
    await expect(page).toHaveURL(/map=[-\d.]+,[-\d.]+,4/)
    await page.getByRole('button', { name: 'Zoom to all results' }).click()
    await expect(page).toHaveURL(/map=[-\d.]+,[-\d.]+,3/)
    await expect(page.getByRole('button', { name: 'Zoom out' })).toBeDisabled()
    const titles = (of: Page) =>
      marks(of).evaluateAll((all) => JSON.stringify(all.map((mark) => mark.getAttribute('title') ?? '').sort()))
    const other = await page.context().newPage()
    await other.goto(page.url())
    await expect(marks(other).first()).toBeVisible()
    // The marks of this page may still be those of the zoom before.
    await expect.poll(async () => (await titles(page)) === (await titles(other))).toBe(true)
    expect(other.url()).toBe(page.url())
  })

  test('without street tiles the map names towns and ends at zoom 10, and no other server is asked', async ({
    pageOf,
  }) => {
    const page = await pageOf('support')
    const hosts = new Set<string>()
    page.on('request', (request) => hosts.add(new URL(request.url()).host))
    await openMap(page, `${RANGE}&map=59.33,18.07,15`)
    await expect(page).toHaveURL(/map=[\d.]+,[\d.]+,10/)
    await expect(page.getByRole('button', { name: 'Zoom in' })).toBeDisabled()
    await expect(page.getByText('Stockholm', { exact: true }).first()).toBeVisible()
    await expect(page.locator('.leaflet-tile-pane path').first()).toBeAttached()
    expect([...hosts]).toEqual([new URL(page.url()).host])
  })

  test('street tiles that fail leave the drawn map, and that names its sources', async ({ pageOf }) => {
    const page = await pageOf('support')
    // As the server writes them where MAP_TILES_URL is not off.
    await page.route('**/events?*', async (route) => {
      const answer = await route.fetch()
      const body = (await answer.text()).replace(
        '&quot;mapTilesUrl&quot;:null',
        `&quot;mapTilesUrl&quot;:&quot;/tiles/{z}/{x}/{y}&quot;`,
      )
      await route.fulfill({
        response: answer,
        body: body.replace('&quot;mapTilesAttribution&quot;:&quot;', '$&© OpenStreetMap contributors'),
      })
    })
    let isAway = true
    const tile = '<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256"/>'
    await page.route('**/tiles/**', (route) =>
      isAway ? route.abort() : route.fulfill({ contentType: 'image/svg+xml', body: tile }),
    )
    await openMap(page, `${RANGE}&map=59.33,18.07,9`)
    await expect(page.getByText('Natural Earth')).toBeVisible()
    await expect(page.locator('.leaflet-tile-pane path').first()).toBeAttached()
    isAway = false
    await page.evaluate(() => window.dispatchEvent(new Event('online')))
    await expect(page.getByRole('link', { name: '© OpenStreetMap contributors' })).toHaveAttribute(
      'href',
      'https://www.openstreetmap.org/copyright',
    )
    await expect(page.locator('.leaflet-tile-pane path')).toHaveCount(0)
  })

  test('a new event shows the bar and moves no mark until the user loads it', async ({ pageOf, alarms, product }) => {
    const page = await pageOf('support')
    await openMap(page)
    const before = await totals(page)
    await alarms.raise(await instrumentBehind(product, alarms.gateway), { words: 'Seen on the map' })
    const bar = page.getByRole('button', { name: /new events?$/ })
    await expect(bar).toBeVisible()
    const answered = page.waitForResponse((answer) => answer.url().includes('/geo-locations'))
    await bar.click()
    await answered
    await expect(page.getByTestId('totals')).not.toHaveText(before)
  })

  test("'Could not get locations', and a retry that helps; a worker that fails says so as well", async ({ pageOf }) => {
    const page = await pageOf('support')
    await page.route('**/geo-locations*', (route) => route.fulfill({ status: 403, json: { ErrorBody: 'Not now.' } }))
    await page.goto('/events?view=map')
    await expect(page.getByRole('alert')).toContainText('Could not get locations')
    await page.unroute('**/geo-locations*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(marks(page).first()).toBeVisible()
    await page.route('**/location-worker*', (route) => route.abort())
    await page.reload()
    await expect(page.getByRole('alert')).toContainText('Could not get locations')
    await page.unroute('**/location-worker*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(marks(page).first()).toBeVisible()
  })
})
