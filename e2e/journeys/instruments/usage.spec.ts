import type { FeatureKey } from '@benchwatch/contract/vocabulary'
import type { Page } from '@playwright/test'
import { apiOf } from '../../api.ts'
import { findForecast } from '../../find-instruments.ts'
import { expect, test } from '../../fixtures.ts'
import { expectNoObjections } from '../../look.ts'

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

test.describe('component usage and daily run time', () => {
  test('what the components were used for, when they are due and how that is known, and how long the instrument ran', async ({
    pageOf,
    product,
  }) => {
    const { instrumentId, componentName, metric } = await findForecast(product)
    const page = await pageOf('support')
    await page.goto(`/instruments/${instrumentId}`)
    const usage = card(page, 'Component usage')
    const row = usage
      .getByRole('list', { name: 'Components' })
      .getByRole('button', { name: componentName.split(' (')[0] ?? '' })
      .first()
    await row.click()
    await expect(usage.getByRole('button', { name: 'Back to all components' })).toBeFocused()
    await expect(usage.getByRole('tab', { name: 'Usage' })).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowRight')
    await expect(usage.getByRole('tabpanel', { name: 'Info' })).toContainText('Serial number')
    await page.keyboard.press('ArrowRight')
    await expect(usage.getByRole('tabpanel', { name: 'Details' })).toContainText('Installed on')
    await page.keyboard.press('ArrowRight')

    const history = usage.getByRole('button', { name: `(history of ${metric})` })
    await expect(history).toHaveText(/^Reaches limit about \d{2}-[A-Z][a-z]{2}-\d{4}$/)
    await history.click()
    const dialog = page.getByRole('dialog', { name: `${metric} · ${componentName}` })
    await expect(dialog.getByText(/^At this pace, it (reaches its maximum of|is due for a change)/)).toBeVisible()
    await expect(dialog.getByText(/a day: the median pace of \d+ measured days since \d{2}-/)).toBeVisible()
    const slider = dialog.getByRole('slider')
    await slider.press('End')
    await expect(slider).toHaveAttribute('aria-valuetext', /about .+ at this pace$/)
    await expectNoObjections(page, '[role="dialog"]')
    await dialog.getByRole('button', { name: 'Show as table' }).click()
    await expect(dialog.getByRole('row').nth(1)).toContainText(/\d{2}-[A-Z][a-z]{2}-\d{4}/)
    await page.keyboard.press('Escape')
    await expect(history).toBeFocused()
    await usage.getByRole('button', { name: 'Back to all components' }).click()
    await expect(row).toBeFocused()

    const runtime = card(page, 'Daily run time')
    const chart = runtime.getByRole('slider', { name: 'Run time of each day' })
    for (const [period, days] of [
      ['Last week', 7],
      ['Last month', 30],
      ['Last year', 365],
    ] as const) {
      await runtime.getByText(period, { exact: true }).click()
      await expect(chart).toHaveAttribute('max', `${days - 1}`)
    }
    await chart.focus()
    await chart.press('Home')
    await expect(chart).toHaveAttribute('aria-valuetext', /^\d{2}-[A-Z][a-z]{2}-\d{4}: (No data|.* h)$/)
    await expect(runtime.getByText(/^Days in site time \(.+\/.+\)/)).toBeVisible()
    await expectNoObjections(
      page,
      'section:has(> * :is([aria-label="Components"], [aria-label="Run time of each day"]))',
    )
    await runtime.getByRole('button', { name: 'Show as table' }).click()
    await expect(runtime.getByRole('row')).toHaveCount(366)
  })

  test('a flag that an administrator switches off hides its card at once, and ends its requests', async ({
    pageOf,
    product,
  }) => {
    const { instrumentId } = await findForecast(product)
    const page = await pageOf('service')
    await page.goto(`/instruments/${instrumentId}`)
    const { id } = await apiOf(product, 'service').call('getMe')
    const set = (key: FeatureKey, value: 'true' | 'false') =>
      apiOf(product, 'admin').call('setUserFeatureFlag', { params: { id, key }, body: { value } })
    await expect(card(page, 'Component usage').getByRole('list')).toBeVisible()
    await expect(card(page, 'Daily run time').getByRole('slider')).toBeVisible()
    try {
      await set('ASSET_USAGE', 'false')
      await expect(card(page, 'Component usage')).toHaveCount(0)
      await expect(card(page, 'Daily run time')).toBeVisible()
      await set('FETCH_INSTRUMENT_DAILY_RUNTIMES', 'false')
      await expect(card(page, 'Daily run time')).toHaveCount(0)
      const asked: string[] = []
      page.on('request', (request) => asked.push(new URL(request.url()).pathname))
      await page.reload({ waitUntil: 'networkidle' })
      await expect(card(page, 'Instrument')).toBeVisible()
      expect(asked).toContain('/api/users/me/features')
      expect(asked.filter((path) => /components|daily-runtimes/.test(path))).toEqual([])
    } finally {
      await set('ASSET_USAGE', 'true')
      await set('FETCH_INSTRUMENT_DAILY_RUNTIMES', 'true')
    }
    await expect(card(page, 'Component usage').getByRole('list')).toBeVisible()
  })
})
