import type { Page } from '@playwright/test'
import { readCsv } from '../../csv.ts'
import { expect, test } from '../../fixtures.ts'
import { expectNoObjections } from '../../look.ts'
import { Registry } from '../../registry.ts'

const rows = (page: Page) => page.locator('tbody tr[data-row]')
const rowOf = (page: Page, words: string) => rows(page).filter({ hasText: words })
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })
const bar = (page: Page) => page.getByRole('region', { name: 'Selected instruments' })
const table = (page: Page) => page.getByRole('table', { name: 'Instruments' })

/** Texts of a column of the page, by the name in its head. */
async function column(page: Page, head: string): Promise<string[]> {
  const heads = await table(page).getByRole('columnheader').allTextContents()
  const place = heads.findIndex((text) => text.trim() === head)
  return rows(page)
    .locator(`td:nth-child(${place + 1})`)
    .allTextContents()
}

async function exportAs(
  page: Page,
  { choice, told }: { choice: string; told: string },
): Promise<Record<string, string>[]> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    // The message goes after four seconds, which a file may take to be read.
    expect(page.getByRole('alert').filter({ hasText: told })).toBeVisible(),
    page
      .getByRole('dialog', { name: 'Export' })
      .getByRole('button', { name: new RegExp(choice) })
      .click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^benchwatch-instruments-\d{4}-\d\d-\d\d\.csv$/)
  return readCsv(download)
}

test('Instrument Summary: families, search, filters, sorting, the expanded row and the way to its details and back', async ({
  pageOf,
  product,
}) => {
  const { instrument, alarms } = await (await Registry.of(product)).laboratory({
    instrument: { type: 'UniFlux', productDescription: 'UniFlux 30', nextService: '2020-03-09' },
    contract: { type: 'Complete Care', slaTerm: 'Platinum 24/7', startDate: '2020-01-01', endDate: '2021-01-31' },
  })
  const { description } = await alarms.raise(instrument, { words: 'Tubing kinked' })
  const page = await pageOf('support')
  await page.goto('/instruments')
  await expect(rows(page)).toHaveCount(12)

  // The keyboard walks along the strip and chooses with Enter.
  await tab(page, 'All').focus()
  await page.keyboard.press('ArrowRight')
  await expect(tab(page, 'WAVE 25/Xuri')).toBeFocused()
  // An administrator may have added families behind the specified ones.
  await page.keyboard.press('End')
  await expect(page.getByRole('tab').last()).toBeFocused()
  await tab(page, 'BioProcess IC').focus()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/instruments?instrumentFamily=UniFlux')
  await expect.poll(async () => (await column(page, 'Instrument')).every((text) => /UniFlux/.test(text))).toBe(true)
  // Where the strip is longer than the screen, an arrow moves it by 400 px.
  await page.setViewportSize({ width: 760, height: 900 })
  const families = page.getByRole('tablist', { name: 'Instrument families' })
  const left = () => families.evaluate(({ scrollLeft }) => scrollLeft)
  await families.evaluate((element) => element.scrollTo({ left: 0 }))
  await page.getByRole('button', { name: 'More families' }).click()
  await expect.poll(left).toBe(await families.evaluate((one) => Math.min(400, one.scrollWidth - one.clientWidth)))
  await page.getByRole('button', { name: 'Earlier families' }).click()
  await expect.poll(left).toBe(0)
  await page.setViewportSize({ width: 1440, height: 900 })
  await expect(page.getByRole('button', { name: /^(Earlier|More) families$/ })).toHaveCount(0)

  await page.keyboard.press('/')
  await page.keyboard.type(instrument)
  await expect(page).toHaveURL(`/instruments?keyword=${instrument}&instrumentFamily=UniFlux`)
  await expect(rows(page)).toHaveCount(1)
  await expect(rowOf(page, instrument)).toContainText('09-Mar-2020overdue')

  // Exactly the address that the specification fixes, in a new tab, with the event in it.
  const link = rowOf(page, instrument).getByRole('link', { name: /^1 open event of UniFlux 30/ })
  await expect(link).toHaveAttribute(
    'href',
    new RegExp(
      `^/events\\?keyword=${instrument}&alertStatus=1_NEW,2_IN_PROGRESS&start=[\\d-]+T[\\d:.]+Z&temporaryFilters=true&page=1&pageSize=12$`,
    ),
  )
  const popup = page.waitForEvent('popup')
  await link.click()
  await expect(rowOf(await popup, description)).toBeVisible()
  await (await popup).close()

  await page.keyboard.press('j')
  await page.keyboard.press('e')
  const details = page.locator('tbody tr:not([data-row])')
  for (const words of ['Complete Care', 'Platinum 24/7', '31-Jan-2021expired', 'Building / room', 'Added to ORC'])
    await expect(details).toContainText(words)
  await details.getByRole('link', { name: 'More Detail' }).click()
  await expect(page).toHaveURL(/\/instruments\/\d+$/)
  await expect(page.getByRole('link', { name: 'Close', exact: true })).toBeVisible()
  await page.keyboard.press('u')
  await expect(page).toHaveURL(`/instruments?keyword=${instrument}&instrumentFamily=UniFlux`)
  await expect(rowOf(page, instrument).locator('[data-action="open"]')).toBeFocused()

  // A page beyond the last one is the first; the second press of a head brings most events first.
  await page.goto('/instruments?page=999')
  await expect(page).toHaveURL('/instruments')
  await page.getByRole('button', { name: 'Events', exact: true }).click()
  await expect(page).toHaveURL('/instruments?orderBy=eventCount')
  await page.getByRole('button', { name: 'Events', exact: true }).click()
  await expect(page).toHaveURL('/instruments?orderBy=eventCount&order=DESC')
  await expect(rows(page)).toHaveCount(12)
  await expect
    .poll(async () => {
      const counts = (await column(page, 'Events')).map(Number)
      return counts.every((count, place) => count <= (counts[place - 1] ?? count)) && (counts[0] ?? 0) > 1
    })
    .toBe(true)
})

test('while the list loads, each column has its bar', async ({ pageOf }) => {
  const page = await pageOf('support')
  // Its answer never comes.
  await page.route('**/api/instruments?*', () => undefined)
  await page.goto('/instruments')
  const bars = page.locator('tbody tr').first().locator('td > span')
  await expect(bars).toHaveCount(11)
  const widths = await bars.evaluateAll((all) => all.map((bar) => bar.getBoundingClientRect().width))
  expect(Math.min(...widths), widths.join()).toBeGreaterThan(20)
})

test('on a phone an overdue service is readable beside a long name of the customer', async ({ pageOf, product }) => {
  const laboratory = { customer: 'مختبرات الشرق الأوسط للتقنية الحيوية', instrument: { nextService: '2026-01-15' } }
  const { instrument } = await (await Registry.of(product)).laboratory(laboratory)
  const page = await pageOf('support', { width: 390 })
  await page.goto(`/instruments?keyword=${instrument}`)
  const [mark, card] = [await rows(page).getByText('overdue').boundingBox(), await rows(page).boundingBox()]
  expect((mark?.x ?? 0) + (mark?.width ?? 0)).toBeLessThanOrEqual((card?.x ?? 0) + (card?.width ?? 0))
})

test('filters, the days of the next service and columns: in the address, remembered, as a view, and left alone by temporaryFilters=true', async ({
  pageOf,
}) => {
  const page = await pageOf('service')
  await page.goto('/instruments')
  await expect(page.getByText('No filters selected.')).toBeVisible()
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  const panel = page.getByRole('dialog', { name: 'Filter' })
  for (const label of ['Instrument type', 'Instrument status', 'ORC status', 'Maintenance', 'Contract SLA', 'Customer'])
    await expect(panel.getByRole('tab', { name: label, exact: true })).toBeVisible()
  await panel.getByRole('tab', { name: 'Maintenance', exact: true }).click()
  await panel.getByRole('checkbox', { name: 'On', exact: true }).check()
  await panel.getByRole('checkbox', { name: 'Scheduled', exact: true }).check()
  await panel.getByRole('button', { name: 'Done' }).click()
  await expect(page).toHaveURL('/instruments?filters=maintenance%3Don,scheduled')
  const marks = page.getByRole('img', { name: /^Maintenance (on|scheduled)$/ })
  await expect.poll(async () => (await marks.count()) === (await rows(page).count())).toBe(true)

  await page.getByRole('button', { name: 'Next service date filter' }).click()
  await expect(page).toHaveURL(/&start=\d{4}-\d\d-\d\d&stop=\d{4}-\d\d-\d\d|start=.*&filters=/)
  await page.getByRole('button', { name: /^Next service: / }).click()
  await page.getByRole('dialog', { name: 'Next service' }).getByRole('button', { name: 'Overdue' }).click()
  await expect(page.getByRole('list', { name: 'Applied filters' })).toContainText('Next service Until')
  await expect
    .poll(async () => (await column(page, 'Next service')).every((text) => /overdue|found/.test(text)))
    .toBe(true)
  await page.getByRole('button', { name: 'Remove filter Next service' }).click()
  await expect(page).toHaveURL('/instruments?filters=maintenance%3Don,scheduled')

  await page.getByRole('button', { name: 'Columns', exact: true }).click()
  await page.getByRole('checkbox', { name: 'Region' }).uncheck()
  await page.keyboard.press('Escape')
  await expect(table(page).getByRole('columnheader', { name: 'Region' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Views', exact: true }).click()
  await page.getByRole('button', { name: 'Save as…' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('In maintenance')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('button', { name: 'View: In maintenance' })).toBeVisible()

  // Remembered, but not by an address that limits the list, nor does that one replace anything.
  await page.goto('/instruments?temporaryFilters=true')
  await expect(page.getByText('No filters selected.')).toBeVisible()
  await expect(table(page).getByRole('columnheader', { name: 'Region' })).toBeVisible()
  await page.goto('/instruments')
  await expect(page).toHaveURL(/filters=maintenance%3Don,scheduled/)
  await expect(table(page).getByRole('columnheader', { name: 'Region' })).toHaveCount(0)
  await page.getByRole('button', { name: 'View: In maintenance' }).click()
  await page.getByRole('button', { name: 'Reset to default list' }).click()
  await expect(page).toHaveURL('/instruments')

  await page.goto('/instruments?keyword=nothing-is-called-so')
  await expect(page.getByText('No instrument(s) found')).toBeVisible()
  await page.getByRole('button', { name: 'Show all instruments' }).click()
  await expect(rows(page)).toHaveCount(12)
})

test('status, maintenance and open events of a row follow live on another screen, and the row keeps its place', async ({
  pageOf,
  product,
}) => {
  const registry = await Registry.of(product)
  const first = await registry.laboratory({ instrument: { productDescription: 'ÄKTA pure 25 A' } })
  const second = await registry.laboratory({ instrument: { productDescription: 'ÄKTA pure 25 B' } })
  await first.alarms.tellStatuses(first.instrument, [{ status: 'ready', at: new Date() }])
  await second.alarms.tellStatuses(second.instrument, [{ status: 'ready', at: new Date() }])
  const address = `/instruments?temporaryFilters=true&instruments=${first.instrument},${second.instrument}`
  const page = await pageOf('support')
  await page.goto(`${address}&orderBy=eventCount&order=DESC`)
  await expect(rows(page)).toHaveCount(2)
  const order = await column(page, 'Installed product ID')
  const colleague = await pageOf('service')
  await colleague.goto(address)

  const last = order[1] === first.instrument ? first : second
  await last.alarms.raise(last.instrument, { words: 'Filter clogged', severity: 'medium' })
  await expect(
    rowOf(page, last.instrument).getByRole('link', { name: /^1 open event of .+, 1 medium, in/ }),
  ).toBeVisible()
  const lostAt = new Date(Date.now() - 3.5 * 3_600_000)
  await last.alarms.tellStatuses(last.instrument, [{ status: 'disconnected', at: lostAt }])
  await expect(rowOf(page, last.instrument).getByText('3 h', { exact: true })).toBeVisible()
  await last.alarms.tellStatuses(last.instrument, [{ status: 'wash', at: new Date() }])
  await expect(rowOf(page, last.instrument).getByRole('img', { name: 'Instrument status: wash' })).toBeVisible()

  await rowOf(colleague, last.instrument)
    .getByRole('button', { name: /^ORC status: Connected/ })
    .click()
  await colleague.getByRole('menuitem', { name: /^Maintenance/ }).click()
  await colleague.getByRole('switch', { name: 'Maintenance mode' }).check()
  await colleague.getByRole('button', { name: 'Apply' }).click()
  await expect(rowOf(page, last.instrument).getByRole('img', { name: 'Maintenance on' })).toBeVisible()
  expect(await column(page, 'Installed product ID')).toEqual(order)

  await colleague.getByRole('link', { name: 'Planned maintenance' }).click()
  await colleague.getByRole('searchbox', { name: 'Search maintenance' }).fill(last.instrument)
  const planned = colleague.getByRole('table', { name: 'Planned maintenance' }).locator('[data-row]')
  await expect(planned).toHaveCount(1)
  await expect(planned).toContainText('On now')
  await expect(planned).toContainText('Marcus Weber')
  await expectNoObjections(colleague, 'main')
  await planned.getByRole('button', { name: `Change maintenance of ${last.instrument}` }).click()
  await colleague.getByRole('button', { name: /^End: Maintenance on/ }).click()
  await colleague.getByRole('button', { name: 'End maintenance' }).click()
  await expect(rowOf(page, last.instrument).getByRole('img', { name: 'Maintenance on' })).toHaveCount(0)
  await colleague.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await expect(colleague.getByText('No maintenance found')).toBeVisible()
})

test('selected instruments, and all but some, as a file with the columns as on screen or every field', async ({
  pageOf,
  product,
}) => {
  const registry = await Registry.of(product)
  const three = await Promise.all([1, 2, 3].map(() => registry.laboratory()))
  const names = three.map(({ instrument }) => instrument).toSorted()
  const page = await pageOf('support')
  await page.goto(
    `/instruments?temporaryFilters=true&instruments=${names.join(',')}&orderBy=instrumentInstalledProductId`,
  )
  await expect(rows(page)).toHaveCount(3)

  await page.getByRole('checkbox', { name: `Select ÄKTA pure 25 ${names[1]}` }).check()
  await expect(bar(page)).toContainText('1 selected')
  // The bar stands where the families stood.
  await expect(tab(page, 'All')).toBeHidden()
  await bar(page).getByRole('button', { name: 'Export' }).click()
  const chosen = await exportAs(page, { choice: 'Columns as on screen', told: 'Exported 1 instrument' })
  expect(chosen.map((record) => record['Installed product ID'])).toEqual([names[1]])
  expect(Object.keys(chosen[0] ?? {})).toEqual([
    ...['System name', 'Instrument', 'Status', 'Installed product ID', 'Region', 'Location', 'Customer'],
    ...['Last service', 'Next service', 'ORC status', 'Events'],
  ])

  await bar(page).getByRole('button', { name: 'Select all 3' }).click()
  await page.getByRole('checkbox', { name: `Select ÄKTA pure 25 ${names[0]}` }).uncheck()
  await expect(bar(page)).toContainText('2 selected')
  await bar(page).getByRole('button', { name: 'Export' }).click()
  const others = await exportAs(page, { choice: 'Every field', told: 'Exported 2 instruments' })
  expect(others.map((record) => record.instrumentInstalledProductId)).toEqual(names.slice(1))
  await bar(page).getByRole('button', { name: 'Clear' }).click()
  await expect(tab(page, 'All')).toBeVisible()
})

test('nothing that axe objects to about the selection, the filters and the days, in both themes', async ({
  pageOf,
}) => {
  const page = await pageOf('support')
  await page.goto('/instruments?start=1970-01-01&stop=2030-01-01&filters=instrumentRegion%3DEMEA')
  await expect(rows(page)).toHaveCount(12)
  await rows(page).getByRole('checkbox').first().check()
  await expect(bar(page)).toBeVisible()
  await expectNoObjections(page, 'main')
  await page.getByRole('button', { name: /^Filter/ }).click()
  await expect(page.getByRole('dialog', { name: 'Filter' })).toBeVisible()
  await expectNoObjections(page, '[role=dialog]')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Next service: / }).click()
  await expect(page.getByRole('dialog', { name: 'Next service' })).toBeVisible()
  await expectNoObjections(page, '[role=dialog]')
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await expectNoObjections(page)
})
