import type { Instrument } from '@benchwatch/contract/instruments/instruments'
import { Alarms } from '../../alarms.ts'
import { apiOf } from '../../api.ts'
import { expect, test } from '../../fixtures.ts'
import { expectNoObjections } from '../../look.ts'
import type { Product } from '../../product.ts'

/** An instrument behind the gateway of the demo that is not heard just now. */
async function findUnmonitored(product: Product): Promise<Instrument> {
  const filter = { orcStatus: ['Edge Issue'] }
  const { values } = await apiOf(product, 'support').call('listInstruments', { body: { filter } })
  const [found] = values
  if (!found) throw new Error('The demo has no silent gateway.')
  return found
}

test('Edge Issue: instruments behind a silent gateway are shown as not monitored until the gateway reports again', async ({
  pageOf,
  product,
}) => {
  const found = await findUnmonitored(product)
  const id = found.instrumentInstalledProductId
  const words = `Monitoring unavailable, last status: ${found.instrumentStatus}`
  const page = await pageOf('support')
  await page.goto(`/instruments?keyword=${id}`)
  const row = page.locator('tbody tr[data-row]').filter({ hasText: id })
  await expect(row.getByRole('img', { name: words })).toBeVisible()
  await expect(row.getByRole('button', { name: 'ORC status: Edge Issue, monitoring unavailable' })).toBeVisible()
  await expect(row.getByTitle(/^Connection lost since .+\. Monitoring unavailable\.$/)).toBeVisible()
  await row.getByRole('button', { name: /^Expand/ }).click()
  await expect(page.getByText(words, { exact: true })).toBeVisible()
  await expectNoObjections(page)

  const details = await page.context().newPage()
  await details.goto(`/instruments/${id}`)
  await expect(details.getByRole('heading', { level: 1 })).toContainText(words)
  await expect(details.getByRole('region', { name: 'Connection' })).toContainText(words)

  await (await Alarms.of(product, found.gatewayName ?? undefined)).heartbeat()
  await expect(row.getByRole('button', { name: 'ORC status: Connected' })).toBeVisible()
  await expect(row.getByRole('img', { name: `Instrument status: ${found.instrumentStatus}` })).toBeVisible()
  await expect(details.getByText('Monitoring unavailable')).toHaveCount(0)
})
