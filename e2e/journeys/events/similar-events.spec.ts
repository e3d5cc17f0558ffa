import type { Page } from '@playwright/test'
import type { Alarms } from '../../alarms.ts'
import { expect, test } from '../../fixtures.ts'
import { instrumentBehind } from '../../fleet.ts'
import { expectGoodLook } from '../../look.ts'

const similar = (page: Page) => page.getByRole('region', { name: 'Similar events' })
const rowOf = (page: Page, words: string) => similar(page).getByRole('row').filter({ hasText: words })

async function openEvent(page: Page, words: string) {
  await page.goto(`/events?keyword=${words.slice(-6)}`)
  await page.getByRole('link', { name: /^ORC-\d+$/ }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText(words)
}

/** The same error twice on one instrument, with another error in between. */
async function raiseThree(alarms: Alarms, instrument: string) {
  const first = await alarms.raise(instrument, { words: 'First drop of pressure' })
  await alarms.clear(first)
  const between = await alarms.raise(instrument, { words: 'Lamp is weak', severity: 'low' })
  const second = await alarms.raise(instrument, { words: 'Second drop of pressure', like: first })
  return { first, between, second }
}

test.describe('similar events', () => {
  test('tabs Previous events, with This error only, and Recent similar events (All instruments)', async ({
    pageOf,
    alarms,
    product,
  }) => {
    const { first, between, second } = await raiseThree(alarms, await instrumentBehind(product, alarms.gateway))
    const page = await pageOf('support')
    await openEvent(page, second.description)
    // The error on all instruments comes first: the earlier events of this one are in another card as well.
    await expect(rowOf(page, first.description)).toBeVisible()
    await expect(rowOf(page, between.description)).toHaveCount(0)
    await similar(page).getByRole('tab', { name: 'Previous events' }).click()
    await expect(rowOf(page, between.description)).toBeVisible()
    await expect(rowOf(page, second.description)).toHaveCount(0)
    await expect(similar(page).getByRole('row')).toHaveCount(11)

    await similar(page).getByLabel('This error only').check()
    await expect(rowOf(page, between.description)).toHaveCount(0)
    await expect(rowOf(page, first.description)).toBeVisible()
    await similar(page).getByLabel('This error only').uncheck()
    await similar(page).getByLabel('Number of events').selectOption('20')
    await expect(similar(page).getByRole('row')).toHaveCount(21)

    await similar(page).getByRole('tab', { name: 'Previous events' }).focus()
    await page.keyboard.press('ArrowRight')
    await expect(similar(page).getByRole('tab', { name: 'Recent similar events (All instruments)' })).toBeFocused()
    await expect(rowOf(page, first.description)).toBeVisible()
    await expect(similar(page).getByRole('row')).toHaveCount(2)
    // The table scrolls inside its card.
    await expectGoodLook(page, 'similar-events', { within: '[aria-label="Similar events"]' })

    await rowOf(page, first.description).getByRole('link').click()
    await expect(page.getByRole('heading', { level: 1 })).toContainText(first.description)
  })
})
