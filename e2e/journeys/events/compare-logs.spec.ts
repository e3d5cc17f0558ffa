import type { Page } from '@playwright/test'
import { expect, test } from '../../fixtures.ts'
import { expectGoodLook } from '../../look.ts'
import type { Product } from '../../product.ts'
import { Registry } from '../../registry.ts'

const SECOND = 1000
const AHEAD = 90 * SECOND

/** Whole seconds, two hours ago: whatever is written around it is in the past. */
const eventAt = Math.floor(Date.now() / SECOND) * SECOND - 7200 * SECOND
const at = (seconds: number) => new Date(eventAt + seconds * SECOND).toISOString()

const table = (page: Page) => page.getByRole('table', { name: 'Both logs by time' })
const lines = (page: Page) => table(page).getByRole('rowgroup', { name: 'Lines' })
const row = (page: Page, text: string | RegExp) => lines(page).getByRole('row').filter({ hasText: text })

/**
 * An instrument whose VID log has a line every second for twelve minutes, and whose client’s PC runs 90 s ahead. In the
 * second of the event both tell of it.
 */
async function twoLogs(product: Product) {
  const { alarms, instrument } = await (await Registry.of(product)).laboratory()
  const raised = await alarms.raise(instrument, { words: 'Pressure above limit', at: new Date(eventAt) })
  const seconds = Array.from({ length: 721 }, (_, index) => index - 360)
  await alarms.tellLog(instrument, {
    logType: 'VID',
    lines: seconds.map((second) => ({
      timestamp: at(second + 0.1),
      module: 'P9-B',
      level: second === 0 ? 'ERROR' : 'INFO',
      message: second === 0 ? 'Pressure 3.1 MPa above the limit' : `Pressure reading ${second}`,
    })),
  })
  await alarms.tellLog(instrument, {
    logType: 'UNICORNCLIENT',
    lines: [-300, -240, 0, 120, 300].map((second) => ({
      timestamp: new Date(eventAt + second * SECOND + 500 + AHEAD).toISOString(),
      hostname: 'PC-012',
      userName: 'jlee',
      message: second === 0 ? 'Dialog shown: pressure above the limit' : `Screen saved ${second}`,
    })),
  })
  return { instrument, raised }
}

async function eventIdOf(page: Page, description: string): Promise<string> {
  await page.goto(`/events?keyword=${description.slice(-6)}`)
  const name = await page.getByRole('link', { name: /^ORC-\d+$/ }).textContent()
  return (name ?? '').slice('ORC-'.length)
}

/** How far a row is from the middle of the lines, in heights of them. */
async function awayFromMiddle(page: Page, text: string): Promise<number> {
  const whole = await lines(page).boundingBox()
  const one = await row(page, text).boundingBox()
  if (whole === null || one === null) return Number.POSITIVE_INFINITY
  return Math.abs(one.y + one.height / 2 - (whole.y + whole.height / 2)) / whole.height
}

test('two logs side by side on one time axis, the event’s moment marked through both, a clock corrected', async ({
  pageOf,
  product,
}) => {
  const { instrument, raised } = await twoLogs(product)
  const page = await pageOf('service')
  const eventId = await eventIdOf(page, raised.description)
  await page.goto(`/logs/${instrument}?first=VID&second=UNICORNCLIENT:PC-012&event=${eventId}`)

  await expect(row(page, `ORC-${eventId} was generated`)).toBeVisible()
  await expect.poll(() => awayFromMiddle(page, `ORC-${eventId}`)).toBeLessThan(0.1)
  const alarm = row(page, 'Pressure 3.1 MPa above the limit')
  await expect(alarm.getByRole('cell').nth(1)).toHaveText('')

  // The PC's clock is stated to be ahead: its line comes to stand beside the instrument's of the same second.
  await page.getByRole('button', { name: 'Clocks' }).click()
  const ahead = page.getByLabel('Ahead by')
  const correct = page.getByRole('button', { name: 'Correct' })
  await ahead.fill('1:30')
  expect((await correct.boundingBox())?.y).toBeCloseTo((await ahead.boundingBox())?.y ?? 0, 0)
  await correct.click()
  await expect(table(page).getByText('PC-012: clock 1 min 30 s ahead, corrected')).toBeVisible()
  await expect(alarm.getByRole('cell').nth(1)).toContainText('Dialog shown: pressure above the limit')
  await expect(page).toHaveURL(/[?&]ahead=90(&|$)/)
  await expect(alarm.getByRole('cell').nth(1).locator('time')).toHaveAttribute(
    'title',
    /Written as .* 1 min 30 s ahead/,
  )

  // Search in both: marked, counted for each log, and from match to match.
  await page.keyboard.press('/')
  await page.keyboard.type('limit')
  await expect(table(page).getByText('1 match', { exact: true })).toHaveCount(2)
  await expect(alarm.locator('mark')).toHaveText(['limit', 'limit'])
  await page.keyboard.press('Enter')
  await expect(alarm.locator('[data-current][data-side="first"]')).toHaveCount(1)
  await lines(page).focus()
  await page.keyboard.press('n')
  await expect(alarm.locator('[data-current][data-side="second"]')).toHaveCount(1)
  await expect(page).toHaveURL(/search=limit/)

  // Another time, typed: read anew or scrolled to; the address names it, and a reload comes back to it.
  await page.getByLabel('Go to a time').fill(at(-200))
  await page.keyboard.press('Enter')
  await expect.poll(() => awayFromMiddle(page, 'Pressure reading -200')).toBeLessThan(0.1)
  await page.reload()
  await expect.poll(() => awayFromMiddle(page, 'Pressure reading -200')).toBeLessThan(0.1)
  await expect(table(page).getByText('PC-012: clock 1 min 30 s ahead, corrected')).toBeVisible()

  // Both scroll together to the very beginning; the client's silence is told where it begins.
  await lines(page).focus()
  await expect(async () => {
    await page.keyboard.press('Home')
    await expect(lines(page).getByText('No older lines')).toBeInViewport({ timeout: 500 })
  }).toPass()
  await expect(row(page, 'Pressure reading -360')).toBeVisible()
  await page.keyboard.press('e')
  await expect.poll(() => awayFromMiddle(page, `ORC-${eventId}`)).toBeLessThan(0.1)

  // Changing places moves nothing in time, and the correction stays with the PC.
  await page.getByRole('button', { name: 'Swap the two logs' }).click()
  await expect(page.getByLabel('First log')).toHaveValue('UNICORNCLIENT:PC-012')
  await expect(row(page, 'Dialog shown').getByRole('cell').first()).toContainText('Dialog shown')
  await expect(page).toHaveURL(/[?&]ahead=90(&|$)/)
})

test('a difference of clocks is found by aligning two lines', async ({ pageOf, product }) => {
  const { instrument } = await twoLogs(product)
  const page = await pageOf('service')
  await page.goto(`/logs/${instrument}?first=VID&second=UNICORNCLIENT:PC-012&at=${at(0)}`)
  await expect(row(page, 'Pressure 3.1 MPa')).toBeVisible()
  const before = await row(page, 'Pressure 3.1 MPa').boundingBox()
  await page.getByRole('button', { name: 'Clocks' }).click()
  await page.getByRole('button', { name: 'Align two lines' }).click()
  const first = row(page, 'Pressure 3.1 MPa').getByRole('button', { name: /^Same moment: VID Service/ })
  await expect(first).toBeVisible()
  expect((await row(page, 'Pressure 3.1 MPa').boundingBox())?.height).toBe(before?.height)
  await first.click()
  await expect(
    page.getByText(/is selected\. Now select the line of the same moment in Client Log – PC-012\./),
  ).toBeVisible()
  await page.getByLabel('Go to a time').fill(at(90))
  await page.keyboard.press('Enter')
  await row(page, 'Dialog shown')
    .getByRole('button', { name: /^Same moment: Client Log/ })
    .click()
  await expect(table(page).getByText(/^PC-012: clock 1 min 30 s ahead, corrected$/)).toBeVisible()
  await expect(row(page, 'Dialog shown')).toContainText('Pressure 3.1 MPa')
})

test('one press of End goes to the last line, although the lines in between are higher than estimated', async ({
  pageOf,
  product,
}) => {
  const { alarms, instrument } = await (await Registry.of(product)).laboratory()
  const lineOf = (second: number) => ({
    timestamp: at(second),
    module: 'P9-B',
    level: 'INFO',
    message: `Reading ${second} of a pump that is told at great length. ${'The pressure is as it was before. '.repeat(12)}`,
  })
  await alarms.tellLog(instrument, { logType: 'VID', lines: Array.from({ length: 90 }, (_, second) => lineOf(second)) })
  const page = await pageOf('service')
  await page.goto(`/logs/${instrument}?first=VID&second=COMM&at=${at(0)}`)
  await expect(row(page, 'Reading 0 of')).toBeVisible()
  await lines(page).focus()
  await page.keyboard.press('End')
  await expect(lines(page).getByText('No newer lines')).toBeInViewport()
  await expect(row(page, 'Reading 89 of')).toBeInViewport()
})

test('the lines being read stay in place when older lines are loaded above them', async ({ pageOf, product }) => {
  const { instrument } = await twoLogs(product)
  const page = await pageOf('service')
  const released = Promise.withResolvers<void>()
  await page.route(/openSearchTimeStamp/, async (route) => {
    await released.promise
    await route.continue()
  })
  await page.goto(`/logs/${instrument}?first=VID&second=COMM&at=${at(0)}`)
  await expect.poll(() => awayFromMiddle(page, 'Pressure 3.1 MPa')).toBeLessThan(0.1)
  const scrolled = () => lines(page).evaluate((element) => element.scrollTop)
  const start = await scrolled()
  await lines(page).hover()
  await page.mouse.wheel(0, -500)
  await expect.poll(scrolled).toBe(start - 500)
  const read = row(page, /Pressure reading -20$/)
  const height = () => lines(page).evaluate((element) => element.scrollHeight)
  const [before, place] = [await height(), await read.boundingBox()]
  released.resolve()
  await expect.poll(height).toBeGreaterThan(before + 1000)
  expect((await read.boundingBox())?.y).toBeCloseTo(place?.y ?? 0, 0)
})

test('what can’t be shown is said: two client logs, no lines, a log that fails, another customer’s instrument', async ({
  pageOf,
  product,
}) => {
  const { instrument } = await twoLogs(product)
  const page = await pageOf('service')
  await page.goto(`/logs/${instrument}?first=UNICORNCLIENT:PC-012&second=UNICORNCLIENT:PC-013`)
  await expect(page.getByText('Cannot view two separate client logs side by side')).toBeVisible()

  await page.goto(`/logs/${instrument}?first=COMM&second=THRESHOLD`)
  await expect(page.getByText('No logs found - Try a different timespan, text-search or log-type')).toBeVisible()

  const fails = /\/api\/instrument-logs\?.*logType=UNICORNCLIENT/
  await page.route(fails, (route) => route.fulfill({ status: 400, json: { ErrorBody: 'No' } }))
  await page.goto(`/logs/${instrument}?first=VID&second=UNICORNCLIENT:PC-012&at=${at(90)}`)
  await expect(row(page, 'Pressure reading 90')).toBeVisible()
  await expect(table(page).getByText('Could not get logs')).toBeVisible()
  await page.unroute(fails)
  await table(page).getByRole('button', { name: 'Try again' }).click()
  await expect(row(page, 'Dialog shown')).toBeVisible()

  const stranger = await pageOf('customer')
  await stranger.goto(`/logs/${instrument}?first=VID&second=COMM`)
  await expect(stranger.getByText('Instrument could not be found.')).toBeVisible()
})

test('nothing that axe objects to, and nothing cut off, in both themes', async ({ pageOf, product }) => {
  const { instrument, raised } = await twoLogs(product)
  const page = await pageOf('service')
  const eventId = await eventIdOf(page, raised.description)
  await page.goto(`/logs/${instrument}?first=VID&second=UNICORNCLIENT:PC-012&event=${eventId}&ahead=90&search=limit`)
  await expect(row(page, `ORC-${eventId}`)).toBeVisible()
  await expect(lines(page).locator('mark').first()).toBeVisible()
  await page.getByRole('button', { name: 'Clocks' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectGoodLook(page, 'compare-clocks')
  await page.getByRole('button', { name: 'Align two lines' }).click()
  await expect(row(page, 'Pressure 3.1').getByRole('button').first()).toBeVisible()
  await expectGoodLook(page, 'compare-align', { within: 'main' })
})
