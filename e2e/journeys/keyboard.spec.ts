import { randomUUID } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import { expect, test } from '../fixtures.ts'
import { instrumentBehind } from '../fleet.ts'
import { expectGoodLook } from '../look.ts'

const rows = (page: Page) => page.locator('tbody tr[data-row]')
const link = (row: Locator) => row.getByRole('link', { name: /^ORC-/ })
const sheet = (page: Page) => page.getByRole('dialog', { name: 'Keyboard shortcuts' })

async function openList(page: Page, address = '/events') {
  await page.goto(address)
  await expect(rows(page).first()).toBeVisible()
}

test.describe('the keyboard', () => {
  test('/ searches, and what is typed there is text', async ({ pageOf }) => {
    const page = await pageOf('service')
    await openList(page)
    await page.keyboard.press('/')
    const box = page.getByRole('searchbox', { name: 'Search events' })
    await expect(box).toBeFocused()
    await page.keyboard.type('jkxa?')
    await expect(box).toHaveValue('jkxa?')
    await expect(page.locator('[data-current]')).toHaveCount(0)
    await expect(sheet(page)).toHaveCount(0)
  })

  test('j and k move with a visible focus, and no row is left under what sticks above', async ({ pageOf }) => {
    const page = await pageOf('service')
    await openList(page, '/events?pageSize=50')
    await expect(rows(page)).toHaveCount(50)
    await page.keyboard.press('k')
    await expect(link(rows(page).first())).toBeFocused()
    const inSight = async (place: number) => {
      const row = rows(page).nth(place)
      await expect(link(row)).toBeFocused()
      await expect(row).toHaveAttribute('data-current', 'true')
      const box = await row.boundingBox()
      const head = await page.locator('thead th').first().boundingBox()
      if (box === null || head === null) throw new Error('A row or the head is not drawn.')
      expect(box.y).toBeGreaterThanOrEqual(head.y + head.height - 1)
      expect(box.y + box.height).toBeLessThanOrEqual(900)
    }
    for (let place = 1; place < 50; place += 1) await page.keyboard.press('j')
    await inSight(49)
    await page.keyboard.press('j')
    await inSight(49)
    await page.keyboard.press('x')
    for (let place = 49; place > 3; place -= 1) await page.keyboard.press('k')
    await inSight(3)
    const ring = await link(rows(page).nth(3)).evaluate((element) => {
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element)
      return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none'
    })
    expect(ring).toBe(true)
  })

  test('x selects, also from the box of a row and without the column of the event', async ({ pageOf }) => {
    const page = await pageOf('service')
    await openList(page, '/events?columns=severity,description')
    await page.keyboard.press('x')
    await expect(page.getByRole('region', { name: 'Selected events' })).toHaveCount(0)
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await expect(rows(page).nth(1).getByRole('checkbox')).toBeChecked()
    await rows(page).nth(4).getByRole('checkbox').check()
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    const bar = page.getByRole('region', { name: 'Selected events' })
    await expect(bar).toContainText('3 selected')
    await expect(rows(page).nth(5).getByRole('checkbox')).toBeChecked()
    await page.keyboard.press('x')
    await expect(bar).toContainText('2 selected')
  })

  test('v expands, Escape collapses and keeps the focus', async ({ pageOf }) => {
    const page = await pageOf('service')
    await openList(page)
    await page.keyboard.press('j')
    await page.keyboard.press('v')
    const details = page.getByRole('link', { name: 'Event details' })
    await expect(details).toBeVisible()
    await details.focus()
    await page.keyboard.press('Escape')
    await expect(details).toHaveCount(0)
    await expect(link(rows(page).first())).toBeFocused()
    // A menu closes first, and the row stays open.
    await page.keyboard.press('v')
    await expect(details).toBeVisible()
    await page.getByRole('button', { name: 'Columns' }).click()
    await expect(page.getByRole('dialog', { name: 'Columns' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog', { name: 'Columns' })).toHaveCount(0)
    await expect(details).toBeVisible()
  })

  test('a assigns to me, in the list and on the event; o opens it, u goes back', async ({
    pageOf,
    alarms,
    product,
  }) => {
    const instrument = await instrumentBehind(product, alarms.gateway)
    const words = `keyed${randomUUID().slice(0, 8)}`
    await alarms.raise(instrument, { words })
    await alarms.raise(instrument, { words })
    const page = await pageOf('service')
    await openList(page, `/events?keyword=${words}`)
    await expect(rows(page)).toHaveCount(2)
    await page.keyboard.press('j')
    await page.keyboard.press('a')
    await expect(page.getByText(/set as owner on event$/)).toBeVisible()
    await expect(rows(page).first()).toContainText('Me')
    await page.getByRole('button', { name: 'Dismiss message' }).click()
    await page.keyboard.press('j')
    await page.keyboard.press('o')
    await expect(page.getByRole('button', { name: 'Owner: None' })).toBeVisible()
    // The button shows that the key was heard, before the server answers, and what comes next.
    const isSeen = Promise.withResolvers<void>()
    const histories: string[] = []
    const claim = page.getByRole('button', { name: 'Assign to me', exact: true })
    await expect(claim).toBeVisible()
    await expect(page.getByText('delivered the event')).toBeVisible()
    await page.route('**/api/**', async (route) => {
      const request = route.request()
      if (request.method() === 'PUT') await isSeen.promise
      if (request.url().endsWith('/history')) histories.push(request.url())
      await route.continue()
    })
    await page.keyboard.press('a')
    const close = page.getByRole('button', { name: 'Close event…' })
    await expect(close).toHaveAttribute('aria-busy', 'true')
    await expect(close).toBeFocused()
    isSeen.resolve()
    await expect(page.getByRole('button', { name: 'Owner: Me' })).toBeVisible()
    await expect(page.getByText('became owner')).toBeVisible()
    await page.keyboard.press('s')
    await expect(page.getByRole('dialog', { name: 'Email Event' })).toBeVisible()
    // Escape closes what is open, and only then the event.
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog', { name: 'Email Event' })).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Owner: Me' })).toBeVisible()
    // The answer and two live messages told of one change.
    expect(histories).toHaveLength(1)
    await page.keyboard.press('u')
    await expect(page).toHaveURL(`/events?keyword=${words}`)
    await expect(rows(page).nth(1)).toContainText('Me')
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('region', { name: 'Status and owner' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page).toHaveURL(`/events?keyword=${words}`)
  })

  test('? shows the shortcuts; they can be switched off, and the button opens the switch again', async ({ pageOf }) => {
    const page = await pageOf('service')
    await openList(page)
    await page.keyboard.press('?')
    for (const does of ['Search', 'Next event', 'Previous event', 'Select or deselect', 'Back to the list'])
      await expect(sheet(page).getByText(does, { exact: true })).toBeVisible()
    await sheet(page).getByLabel('Keyboard shortcuts on').uncheck()
    await page.keyboard.press('Escape')
    await expect(sheet(page)).toHaveCount(0)
    await page.keyboard.press('j')
    await page.keyboard.press('?')
    await page.reload()
    await expect(rows(page).first()).toBeVisible()
    await page.keyboard.press('j')
    await expect(page.locator('[data-current]')).toHaveCount(0)
    await expect(sheet(page)).toHaveCount(0)
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
    await sheet(page).getByLabel('Keyboard shortcuts on').check()
    await page.keyboard.press('Escape')
    await page.keyboard.press('j')
    await expect(page.locator('[data-current]')).toHaveCount(1)
  })

  test('the sheet: nothing cut off, nothing that axe objects to, in both themes', async ({ pageOf }) => {
    const page = await pageOf('service')
    await openList(page)
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
    await expect(sheet(page).getByText('Next event', { exact: true })).toBeVisible()
    await expectGoodLook(page, 'shortcuts')
  })
})
