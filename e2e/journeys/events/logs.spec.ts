import type { Page } from '@playwright/test'
import { expect, test } from '../../fixtures.ts'
import { expectNoObjections } from '../../look.ts'
import type { Product } from '../../product.ts'
import { Registry } from '../../registry.ts'

const HOUR_MS = 3_600_000

/** An event of an hour ago, and what the instrument and two client PCs wrote around it. Gives the event's id. */
async function tellStory(product: Product, page: Page): Promise<string> {
  const { alarms, instrument } = await (await Registry.of(product)).laboratory()
  const moment = Date.now() - HOUR_MS
  const at = (seconds: number) => new Date(moment + seconds * 1000).toISOString()
  const alarm = await alarms.raise(instrument, { words: 'Pre-column pressure 6.4 MPa', at: new Date(moment) })
  const word = alarm.alertId.slice(-6)
  const line = (seconds: number, message: string) => ({
    timestamp: at(seconds),
    message,
    module: 'P9-B',
    level: 'INFO',
  })
  await alarms.tellLog(instrument, {
    logType: 'VID',
    lines: [
      ...Array.from({ length: 180 }, (_, index) => line(index - 90.5, `Flow 1.2 mL/min, ${word} step ${index}`)),
      line(-0.2, `Pressure <b>rises</b> to 6.1 MPa & more, ${word}\u0007`),
    ],
  })
  for (const hostname of ['PC-012', 'PC-014'])
    await alarms.tellLog(instrument, {
      logType: 'UNICORNCLIENT',
      lines: [{ ...line(0, `Method held, ${word}`), hostname, userName: 'ada' }],
    })
  await page.goto(`/events?keyword=${word}`)
  const id = await page.getByRole('link', { name: /^ORC-\d+$/ }).textContent()
  return (id ?? '').replace('ORC-', '')
}

const lines = (page: Page) => page.locator('[data-line]')
const box = (page: Page, name: RegExp) => page.getByRole('group', { name: 'Logs' }).getByRole('checkbox', { name })

test.describe('logs of an event', () => {
  test('one is chosen and read around the event: older, newer, a search, a find among its neighbours, another time', async ({
    pageOf,
    product,
  }) => {
    const page = await pageOf('support')
    const eventId = await tellStory(product, page)
    await page.goto(`/events/${eventId}`)
    await page.getByRole('button', { name: 'View Logs' }).click()
    await expect(page.getByRole('heading', { name: 'Select 2 logs to view side-by-side' })).toBeVisible()
    await expect(page.getByText('Logs can take up to 20 minutes after the event to sync.')).toBeVisible()
    const view = page.getByRole('button', { name: 'View', exact: true })
    await expect(view).toBeDisabled()

    await box(page, /^Client Log – PC-012/).check()
    await box(page, /^Client Log – PC-014/).check()
    await expect(page.getByText('Cannot view two separate client logs side by side')).toBeVisible()
    await expect(view).toBeDisabled()
    await expect(box(page, /^VID Service/)).toBeDisabled()
    await expectNoObjections(page, '[role=dialog]')
    await box(page, /^Client Log – PC-014/).uncheck()
    await box(page, /^VID Service/).check()
    await expect(page.getByRole('link', { name: 'View', exact: true })).toHaveAttribute('target', '_blank')
    await box(page, /^Client Log – PC-012/).uncheck()
    await view.click()

    const viewer = page.getByRole('dialog', { name: /^VID Service/ })
    await expect(viewer).toContainText(`ORC-${eventId}`)
    await expect(page).toHaveURL(`/events/${eventId}?log=VID`)
    // Six at once, then fifty on either side to fill the window.
    await expect(lines(page)).toHaveCount(106)
    await expect(viewer.getByText(`ORC-${eventId} was generated`)).toBeInViewport()
    await expect(viewer.getByText('Pressure <b>rises</b> to 6.1 MPa & more')).toBeVisible()
    await expect(viewer.getByText('\\x07')).toHaveAttribute('title', 'U+0007')

    // Lines that are loaded in front push nothing down: the line stays where it was.
    await viewer.getByRole('button', { name: 'Load +5 older logs' }).click()
    await expect(lines(page)).toHaveCount(111)
    await expect(viewer.getByText('Pressure <b>rises</b> to 6.1 MPa & more')).toBeInViewport()
    await viewer.getByRole('button', { name: 'Load +5 newer logs' }).click()
    await expect(lines(page)).toHaveCount(116)
    const region = viewer.getByRole('region', { name: 'Lines of VID Service' })
    await region.focus()
    await page.keyboard.press('Home')
    await expect(viewer.getByText('No older logs in this timespan')).toBeVisible()
    await page.keyboard.press('End')
    await expect(viewer.getByText('181 log lines', { exact: true })).toBeVisible()

    // The strip leads to another time, and back.
    const strip = viewer.getByRole('slider', { name: /^Lines over time/ })
    await expect(strip).toHaveAttribute('aria-valuetext', /[1-9]\d* lines/)
    await strip.press('Home')
    await strip.press('Enter')
    await expect(viewer.getByText(/step 0$/)).toBeInViewport()
    await viewer.getByRole('button', { name: 'To the event' }).click()
    await expect(viewer.getByText(`ORC-${eventId} was generated`)).toBeInViewport()

    const word = /(\w{6}) step/.exec((await lines(page).first().textContent()) ?? '')?.[1]
    const search = viewer.getByRole('searchbox', { name: 'Search logs' })
    await search.fill(`${word} rises`)
    await expect(lines(page)).toHaveCount(1)
    await expect(viewer.getByText('1 match', { exact: true })).toBeVisible()
    await expect(viewer.locator('mark')).toHaveText(['rises', word ?? ''])
    await expectNoObjections(page, '[role=dialog]')
    await lines(page).first().hover()
    await viewer.getByRole('button', { name: 'Show in context' }).click()
    await expect(lines(page)).toHaveCount(7)
    await viewer.getByRole('button', { name: 'Back to search' }).click()
    await expect(lines(page)).toHaveCount(1)

    await search.fill('nothing of that kind')
    await expect(viewer.getByText('No logs found - Try a different timespan, text-search or log-type')).toBeVisible()
    await viewer.getByRole('button', { name: /^Date range/ }).click()
    await page.getByRole('button', { name: 'Last 7 days' }).click()
    await search.fill(`${word} step`)
    await expect(viewer.getByText('110 of 180 matches')).toBeVisible()

    // A link leads a colleague to the same log.
    await page.reload()
    await expect(lines(page)).toHaveCount(106)
    await viewer.getByRole('combobox', { name: 'Log' }).selectOption('Client Log – PC-014')
    const client = page.getByRole('dialog', { name: /^Client Log – PC-014/ })
    await expect(client.getByText(`Method held, ${word}`)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(client).toHaveCount(0)
    await expect(page).toHaveURL(`/events/${eventId}`)
    await expect(page.getByRole('button', { name: 'View Logs' })).toBeFocused()
  })

  test('from a row of the list, too: the previous day up to two seconds after the event', async ({
    pageOf,
    product,
  }) => {
    const page = await pageOf('support')
    await tellStory(product, page)
    await page
      .getByRole('button', { name: /^Expand/ })
      .first()
      .click()
    await page.getByRole('button', { name: 'View Logs' }).click()
    // A press on the name is enough.
    await page.getByRole('group', { name: 'Logs' }).getByRole('button', { name: 'VID Service' }).click()
    const viewer = page.getByRole('dialog', { name: /^VID Service/ })
    // Two lines within the two seconds after it, four before, and fifty more.
    await expect(lines(page)).toHaveCount(56)
    await expect(viewer.getByText('No newer logs in this timespan')).toBeVisible()
    await page.route('**/api/instrument-logs?*', (route) => route.abort())
    await viewer.getByRole('button', { name: 'Load +5 older logs' }).click()
    await expect(viewer.getByText('Could not get logs')).toBeVisible()
    await expect(lines(page)).toHaveCount(56)
    await page.unroute('**/api/instrument-logs?*')
    await viewer.getByRole('button', { name: 'Try again' }).click()
    await expect(lines(page)).toHaveCount(61)
  })
})
