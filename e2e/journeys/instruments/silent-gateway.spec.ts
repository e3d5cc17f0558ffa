import { Alarms } from '../../alarms.ts'
import { DEMO_PASSWORD, expect, people, signIn, test } from '../../fixtures.ts'
import { expectNoObjections } from '../../look.ts'
import { demoDataDir, type Product, startProduct } from '../../product.ts'

/** An instrument behind the gateway of the demo that is not heard just now. */
async function findUnmonitored({ baseUrl }: Product) {
  const call = async (path: string, body?: object, token?: string) => {
    const answer = await fetch(`${baseUrl}/api${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    return answer.json()
  }
  const { accessToken } = (await call('/auth/sign-in', { userId: people.support, password: DEMO_PASSWORD })) as {
    accessToken: string
  }
  const { values } = (await call('/instruments', { filter: { orcStatus: ['Edge Issue'] } }, accessToken)) as {
    values: { instrumentInstalledProductId: string; instrumentStatus: string; gatewayName: string | null }[]
  }
  const [found] = values
  if (!found) throw new Error('The demo has no silent gateway.')
  return found
}

test('Edge Issue: what is behind a silent gateway reads as not monitored until the gateway is heard again', async ({
  browser,
}) => {
  const product = await startProduct({ from: demoDataDir })
  const context = await browser.newContext({
    baseURL: product.baseUrl,
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
  })
  try {
    await signIn(context, product, 'support')
    const found = await findUnmonitored(product)
    const id = found.instrumentInstalledProductId
    const words = `Monitoring unavailable, last status: ${found.instrumentStatus}`
    const page = await context.newPage()
    await page.goto(`/instruments?keyword=${id}`)
    const row = page.locator('tbody tr[data-row]').filter({ hasText: id })
    await expect(row.getByRole('img', { name: words })).toBeVisible()
    await expect(row.getByRole('button', { name: 'ORC status: Edge Issue, monitoring unavailable' })).toBeVisible()
    await expect(row.getByTitle(/^Connection lost since .+\. Monitoring unavailable\.$/)).toBeVisible()
    await row.getByRole('button', { name: /^Expand/ }).click()
    await expect(page.getByText(words, { exact: true })).toBeVisible()
    await expectNoObjections(page)

    const details = await context.newPage()
    await details.goto(`/instruments/${id}`)
    await expect(details.getByRole('heading', { level: 1 })).toContainText(words)
    await expect(details.getByRole('region', { name: 'Connection' })).toContainText(words)

    await (await Alarms.of(product, found.gatewayName ?? undefined)).heartbeat()
    await expect(row.getByRole('button', { name: 'ORC status: Connected' })).toBeVisible({ timeout: 15_000 })
    await expect(row.getByRole('img', { name: `Instrument status: ${found.instrumentStatus}` })).toBeVisible()
    await expect(details.getByText('Monitoring unavailable')).toHaveCount(0)
  } finally {
    await context.close()
    await product.stop()
  }
})
