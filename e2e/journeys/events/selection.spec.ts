import type { Page } from '@playwright/test'
import { expect, test } from '../../fixtures.ts'
import { instrumentBehind } from '../../fleet.ts'

const rows = (page: Page) => page.locator('tbody tr[data-row]')
const box = (page: Page, index: number) => rows(page).nth(index).getByRole('checkbox')
const headBox = (page: Page) => page.getByRole('checkbox', { name: 'Select all events' })
const bar = (page: Page) => page.getByRole('region', { name: 'Selected events' })
const expectMixed = (page: Page) => expect(headBox(page)).toBeChecked({ indeterminate: true })

async function openList(page: Page, address = '/events'): Promise<void> {
  await page.goto(address)
  await expect(rows(page).first()).toBeVisible()
}

test.describe('selecting events', () => {
  test('toggling a box adds or removes the id, and the bar moves no row', async ({ pageOf }) => {
    const page = await pageOf('service')
    await openList(page)
    const before = await rows(page).first().boundingBox()
    await box(page, 0).check()
    await box(page, 2).check()
    await expect(bar(page)).toContainText('2 selected')
    await expect(page.getByRole('status').filter({ hasText: '2 selected' })).toHaveCount(1)
    // Filters stay in sight, and the only Export button exports the selection.
    await expect(page.getByText('No filters selected.')).toBeVisible()
    await expect(page.getByTestId('totals')).toBeVisible()
    await expect(page.getByRole('button', { name: /^Export/ })).toHaveText(['Export 2 selected'])
    await expectMixed(page)
    expect(await rows(page).first().boundingBox()).toEqual(before)
    await box(page, 0).uncheck()
    await expect(bar(page)).toContainText('1 selected')
    await bar(page).getByRole('button', { name: 'Clear' }).click()
    await expect(bar(page)).toHaveCount(0)
    await expect(headBox(page)).toBeFocused()
    expect(await rows(page).first().boundingBox()).toEqual(before)
  })

  test('the header checkbox means select all; the count is then the total minus the excluded', async ({
    pageOf,
    alarms,
    product,
  }) => {
    const subject = await instrumentBehind(product, alarms.gateway)
    const word = await alarms.raiseMany(subject, { count: 30, words: 'Chosen' })
    const page = await pageOf('support')
    await openList(page, `/events?keyword=${word}`)
    await expect(page.getByTestId('totals')).toContainText('30 events')
    await headBox(page).check()
    await expect(bar(page)).toContainText('30 selected')
    await expect(bar(page).getByRole('button', { name: /^Select all/ })).toHaveCount(0)
    await box(page, 1).uncheck()
    await expect(bar(page)).toContainText('29 selected')
    await expectMixed(page)
    // On the next page everything is still selected, and on the way back the one is still left out.
    await page.getByRole('button', { name: 'Page 2', exact: true }).click()
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
    await expect(box(page, 1)).toBeChecked()
    await page.getByRole('button', { name: 'Page 1', exact: true }).click()
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
    await expect(box(page, 1)).not.toBeChecked()
    // Switching the mode clears the selection: from a mixed box to everything, from everything to nothing.
    await headBox(page).click()
    await expect(bar(page)).toContainText('30 selected')
    await expect(box(page, 1)).toBeChecked()
    await headBox(page).click()
    await expect(bar(page)).toHaveCount(0)
  })

  test('on a phone the bar is above the navigation, and covers nothing at the end of the list', async ({ pageOf }) => {
    const page = await pageOf('service', { width: 390 })
    await openList(page)
    const before = await rows(page).first().boundingBox()
    await box(page, 0).check()
    await expect(bar(page)).toBeInViewport({ ratio: 1 })
    expect(await rows(page).first().boundingBox()).toEqual(before)
    const pages = page.getByRole('navigation', { name: 'Pages' })
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
    const [over, under] = [await bar(page).boundingBox(), await pages.boundingBox()]
    expect((under?.y ?? 0) + (under?.height ?? 0)).toBeLessThanOrEqual(over?.y ?? 0)
  })
})
