import type { Page } from '@playwright/test'
import { Alarms } from '../../alarms.ts'
import { findEvents } from '../../find-events.ts'
import { expect, test } from '../../fixtures.ts'
import { instrumentBehind } from '../../fleet.ts'
import { expectGoodLook } from '../../look.ts'
import type { Product } from '../../product.ts'
import { rowsInSight } from '../../rows-in-sight.ts'

/** The controls that stay in their place and are covered by a message; 'no message' without one. */
const coveredByMessage = (page: Page) =>
  page.evaluate(() => {
    const message = document.querySelector('.mantine-Notification-root')?.getBoundingClientRect()
    if (message === undefined) return 'no message'
    const isCovered = ({ left, right, top, bottom }: DOMRect) =>
      left < message.right && right > message.left && top < message.bottom && bottom > message.top
    return [...document.querySelectorAll('header :is(a, button), [data-docked] button')]
      .filter((control) => isCovered(control.getBoundingClientRect()))
      .map((control) => control.textContent)
      .join()
  })

const toast = (page: Page, text: string | RegExp) => page.getByRole('alert').filter({ hasText: text })
const owner = (page: Page) => page.getByRole('button', { name: /^Owner:/ })
const owners = (page: Page) => page.getByRole('listbox', { name: 'Owners to choose from' }).getByRole('option')
const bar = (page: Page) => page.getByRole('region', { name: 'Status and owner' })

/** A new event of its own on an instrument, and its address. */
async function raised(product: Product, { alarms, on, words }: { alarms: Alarms; on?: string; words: string }) {
  const alarm = await alarms.raise(on ?? (await instrumentBehind(product, alarms.gateway)), { words })
  const [event] = await findEvents(product, { keyword: alarm.alertId.slice(-6) })
  if (event === undefined) throw new Error(`${alarm.description} was not found`)
  return { ...alarm, eventId: event.eventId, path: `/events/${event.eventId}` }
}

async function assignToMe(page: Page) {
  await owner(page).click()
  await page.getByRole('option', { name: 'Assign to me' }).click()
}

async function openClosing(page: Page, reason: string, comment: string) {
  await page.getByRole('button', { name: 'Close event…' }).click()
  await page.getByLabel('Reason').selectOption(reason)
  await page.getByLabel('Comment (optional)').fill(comment)
}

test.describe('the details of an event', () => {
  test('open by a link with and without ORC-, and go back to the list', async ({ pageOf, alarms, product }) => {
    const event = await raised(product, { alarms, words: 'Deep link' })
    const page = await pageOf('support')
    for (const path of [event.path, `/events/ORC-${event.eventId}`]) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toContainText(event.description)
      await expect(page).toHaveURL(event.path)
    }
    // Going back finds the place at which the page was left.
    await page.setViewportSize({ width: 1440, height: 500 })
    const history = page.getByRole('region', { name: 'History' })
    await history.scrollIntoViewIfNeeded()
    // The page hears of the scrolling before the next frame.
    const place = await page.evaluate(() => new Promise<number>((done) => requestAnimationFrame(() => done(scrollY))))
    expect(place).toBeGreaterThan(100)
    await page.keyboard.press('u')
    await expect(page).toHaveURL(/\/events(\?|$)/)
    await page.goBack()
    await expect(history).toBeInViewport()
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(place)
    await page.getByRole('link', { name: 'Close', exact: true }).click()
    await expect(page).toHaveURL(/\/events(\?|$)/)
  })

  test('run the 24-hour contract clock until the first claim, and show the service response at once', async ({
    pageOf,
    product,
  }) => {
    const [promised] = (await findEvents(product, { fullSupportEvents: true })).filter(
      ({ isEdgeIssue }) => !isEdgeIssue,
    )
    if (!promised?.gatewayName) throw new Error('The demo has no event under a 24-hour contract')
    const alarms = await Alarms.of(product, promised.gatewayName)
    const on = promised.instrumentInstalledProductId
    const event = await raised(product, { alarms, on, words: 'Under contract' })
    const page = await pageOf('support')
    const colleague = await pageOf('service')
    for (const screen of [page, colleague]) {
      await screen.goto(event.path)
      await expect(bar(screen)).toContainText(/24 h contract\s*(24 h|23 h 5\d min) left/)
    }
    const response = page.getByRole('region', { name: 'Service response' })
    await expect(response.getByRole('definition')).toHaveText(['–', '–', '–'])

    await assignToMe(page)
    for (const screen of [page, colleague]) await expect(bar(screen)).not.toContainText('left')
    await expect(response.getByRole('definition')).toHaveText(['00d / 00h / 00m', '–', '–'])

    await openClosing(page, 'No action required', 'Seen.')
    await page.getByRole('button', { name: 'Close event', exact: true }).click()
    await expect(toast(page, 'Status: Closed - No action required.')).toBeVisible()
    for (const screen of [page, colleague])
      await expect(screen.getByRole('region', { name: 'Service response' }).getByRole('definition')).toHaveText([
        '00d / 00h / 00m',
        '00d / 00h / 00m',
        '00d / 00h / 00m',
      ])
  })

  test('can be taken and reassigned by keyboard alone', async ({ pageOf, alarms, product }) => {
    const event = await raised(product, { alarms, words: 'By keyboard' })
    const page = await pageOf('support')
    await page.goto(event.path)
    await owner(page).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByLabel('Search by name')).toBeFocused()
    // Dropdown lists show max 5 rows.
    await expect
      .poll(() => rowsInSight(owners(page), page.getByRole('listbox', { name: 'Owners to choose from' })))
      .toBe(5)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(owner(page)).toHaveAccessibleName('Owner: Me')
    await expect(owner(page)).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByLabel('Search by name')).toBeFocused()
    await page.keyboard.type('priya')
    await expect(owners(page)).toHaveCount(1)
    await page.keyboard.press('Enter')
    await expect(toast(page, /^Priya .* set as owner on event/)).toBeVisible()
    await expect(owner(page)).toHaveAccessibleName(/^Owner: Priya/)
    // Not mine any more: the control says why it can't be used, also to who came by keyboard.
    await page.getByRole('button', { name: /^Status:/ }).focus()
    await expect(page.getByRole('tooltip')).toContainText('Only the owner may change the status')
  })
})

test.describe('when two screens or a bad line meet', () => {
  test('two closings at once: the second one sees the first, and keeps what was typed', async ({
    pageOf,
    alarms,
    product,
  }) => {
    const event = await raised(product, { alarms, words: 'Closed twice' })
    const [first, second] = [await pageOf('support'), await pageOf('support')]
    await first.goto(event.path)
    await assignToMe(first)
    await expect(owner(first)).toHaveAccessibleName('Owner: Me')
    // The second screen hears nothing of the first.
    await second.routeWebSocket(/\/api\/live/, (socket) => socket.close({ code: 1012 }))
    await second.goto(event.path)
    await openClosing(second, 'Duplicate event', 'Of the one before.')
    await second.route('**/api/alarms/event/*', (route) => route.abort())

    await openClosing(first, 'No action required', 'Spike.')
    await first.getByRole('button', { name: 'Close event', exact: true }).click()
    await expect(toast(first, 'Status: Closed - No action required.')).toBeVisible()

    await second.getByRole('button', { name: 'Close event', exact: true }).click()
    await expect(toast(second, `Could not update event: ORC-${event.eventId}`)).toBeVisible()
    const dialog = second.getByRole('dialog', { name: /^Close event/ })
    await expect(dialog).toContainText('It is now Closed (No action required), owner: Me.')
    await expect(dialog.getByLabel('Comment (optional)')).toHaveValue('Of the one before.')
    await expect(second.getByRole('region', { name: 'How it was closed', includeHidden: true })).toContainText('Spike.')
  })

  test('an answer that gets lost: the event is read again, and the page says what was done', async ({
    pageOf,
    alarms,
    product,
  }) => {
    const event = await raised(product, { alarms, words: 'Lost answer' })
    const page = await pageOf('support')
    await page.goto(event.path)
    await expect(owner(page)).toHaveAccessibleName('Owner: None')
    const changes = (url: URL) => /\/api\/alarms\/\d+$/.test(url.pathname)

    await page.route(changes, (route) => (route.request().method() === 'PUT' ? route.abort() : route.continue()))
    await assignToMe(page)
    await expect(toast(page, 'Could not update owner')).toContainText('has not been changed yet')
    for (const width of [1440, 1024, 390]) {
      await page.setViewportSize({ width, height: 844 })
      await expect.poll(() => coveredByMessage(page)).toBe('')
    }
    await page.setViewportSize({ width: 1440, height: 900 })
    await expect(owner(page)).toHaveAccessibleName('Owner: None')

    await page.unroute(changes)
    await page.route(changes, async (route) => {
      if (route.request().method() !== 'PUT') return route.continue()
      // The server makes the change; its answer never arrives.
      await route.fetch()
      await route.abort()
    })
    await assignToMe(page)
    await expect(toast(page, /set as owner on event/)).toBeVisible()
    await expect(owner(page)).toHaveAccessibleName('Owner: Me')
  })
})

test('the details look well at each width, in both themes', async ({ pageOf, alarms, product }) => {
  const event = await raised(product, { alarms, words: 'Looked at' })
  const page = await pageOf('support')
  await page.goto(event.path)
  await expect(page.getByRole('region', { name: 'History' }).getByRole('listitem').first()).toBeVisible()
  await expectGoodLook(page, 'details-event')
  await owner(page).click()
  await expect(owners(page).first()).toBeVisible()
  await expectGoodLook(page, 'details-owners', { within: '[role=dialog]' })
  await page.getByRole('option', { name: 'Assign to me' }).click()
  await expect(owner(page)).toHaveAccessibleName('Owner: Me')
  await page.getByRole('button', { name: /^Status:/ }).click()
  await expect(page.getByRole('menuitem', { name: 'Closed…' })).toBeVisible()
  await expectGoodLook(page, 'details-statuses', { within: '[role=menu]' })
  await page.keyboard.press('Escape')
  await openClosing(page, 'Customer resolved on own', 'Reseated the tubing.')
  await expectGoodLook(page, 'details-closing')
  await page.getByRole('button', { name: 'Close event', exact: true }).click()
  await expect(page.getByRole('region', { name: 'How it was closed' })).toBeVisible()
  await page.getByRole('button', { name: 'Edit comment' }).click()
  await expectGoodLook(page, 'details-comment', {
    within: '[aria-label="Status and owner"], [aria-label="How it was closed"]',
  })
})
