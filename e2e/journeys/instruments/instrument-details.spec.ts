import type { Page } from '@playwright/test'
import { findEvents } from '../../find-events.ts'
import { expect, test } from '../../fixtures.ts'
import { instrumentBehind } from '../../fleet.ts'
import { expectNoObjections, expectNothingCutOff } from '../../look.ts'
import { Registry } from '../../registry.ts'

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const title = (page: Page) => page.getByRole('heading', { level: 1 })
const tab = (page: Page, name: RegExp) => page.getByRole('tab', { name })
const rowOf = (page: Page, words: string) => page.getByRole('row').filter({ hasText: words })

/** The value beside a name on a card. */
const fact = (page: Page, { on, name }: { on: string; name: string }) =>
  card(page, on)
    .locator('dt', { hasText: new RegExp(`^${name}$`) })
    .locator('xpath=following-sibling::dd')

test.describe('the details of an instrument', () => {
  test('open by the id and by the installed product id, lead to a report of either type, the instruments connected beside it and its events, and back to the list as it was left', async ({
    pageOf,
    alarms,
    product,
  }) => {
    const installedProductId = await instrumentBehind(product, alarms.gateway)
    const page = await pageOf('support')
    await page.goto(`/instruments?keyword=${installedProductId}`)
    await page.getByRole('button', { name: /^Expand/ }).click()
    await page.getByRole('link', { name: 'More Detail' }).click()
    await expect(page).toHaveURL(/\/instruments\/\d+$/)
    await expect(fact(page, { on: 'Connection', name: 'Gateway' })).toHaveText(alarms.gateway)
    const byId = new URL(page.url()).pathname
    await expect(page).toHaveTitle(new RegExp(`^${installedProductId} · `))
    await page.getByRole('link', { name: 'Close', exact: true }).click()
    await expect(page).toHaveURL(`/instruments?keyword=${installedProductId}`)
    await expect(page).toHaveTitle(/^Instruments · /)

    await page.goto(`/instruments/${installedProductId}`)
    await expect(fact(page, { on: 'Connection', name: 'Last seen' })).toHaveText(/^(Now|\d+ min ago)$/)
    for (const type of ['fe', 'qs'] as const) {
      await page.getByRole('button', { name: 'View report' }).click()
      const report = page.waitForEvent('popup')
      await page.getByRole('menuitem', { name: new RegExp(`\\(${type}\\)`, 'i') }).click()
      await expect(await report).toHaveURL(`${byId.replace('instruments', 'report')}?reportType=${type}`)
      await (await report).close()
    }

    const connected = page.getByRole('link', { name: /^View connected instruments \(\d+\)$/ })
    const count = Number(/\d+/.exec((await connected.textContent()) ?? '')?.[0])
    await connected.click()
    await expect(page).toHaveURL(
      /\/instruments\?temporaryFilters=true&instrumentFamily=All&instruments=[^&]+&keyword=&page=1&pageSize=12$/,
    )
    await expect(page.locator('tbody tr[data-row]')).toHaveCount(Math.min(count, 12))

    await page.goto(byId)
    await page.getByRole('link', { name: /^Events \(\d+\)$/ }).click()
    await expect(page).toHaveURL(
      /\/events\?keyword=[^&]+&alertStatus=1_NEW,2_IN_PROGRESS&start=[^&]+Z&temporaryFilters=true&page=1&pageSize=12$/,
    )
    await page.goBack()
    await expect(card(page, 'Connection')).toBeVisible()
    await page.keyboard.press('u')
    await expect(page).toHaveURL(/\/instruments\?.*temporaryFilters=true/)
  })

  test('tabs "Open Service Events", which come and go live, and "Automated support emails", in the address; status by push', async ({
    pageOf,
    product,
  }) => {
    const { alarms, instrument } = await (await Registry.of(product)).laboratory()
    const page = await pageOf('support')
    await page.goto(`/instruments/${instrument}`)
    await expect(page.getByText('No open events on this instrument.')).toBeVisible()

    const raised = await alarms.raise(instrument, { words: 'Tubing kinked' })
    await alarms.tellStatuses(instrument, [{ status: 'alarms and errors', at: new Date() }])
    await expect(rowOf(page, raised.description)).toContainText('None')
    await expect(tab(page, /^Open Service Events 1$/)).toBeVisible()
    await expect(title(page).getByRole('img')).toHaveAccessibleName('Instrument status: alarms and errors')

    const [event] = await findEvents(product, { keyword: raised.alertId.slice(-6) })
    const colleague = await pageOf('service')
    await colleague.goto(`/events/${event?.eventId}`)
    await colleague.getByRole('button', { name: /^Owner:/ }).click()
    await colleague.getByRole('option', { name: 'Assign to me' }).click()
    await expect(rowOf(page, raised.description)).not.toContainText('None')
    await colleague.getByRole('button', { name: 'Close event…' }).click()
    await colleague.getByLabel('Reason').selectOption('Duplicate event')
    await colleague.getByRole('dialog').getByRole('button', { name: 'Close event' }).click()
    await expect(page.getByText('No open events on this instrument.')).toBeVisible()

    await tab(page, /^Automated support emails$/).click()
    await expect(page).toHaveURL(`/instruments/${instrument}?tab=emails`)
    await page.reload()
    await expect(page.getByRole('columnheader', { name: 'Subject' })).toBeVisible()
    await expect(
      page.getByRole('table', { name: 'Automated support emails' }).locator('[data-row]').first(),
    ).toContainText(/On$/)
  })

  test("read 'Instrument could not be found.' for one that does not exist or belongs to another customer", async ({
    pageOf,
    product,
  }) => {
    const foreign = (await findEvents(product, { keyword: 'tidewater' }))[0]?.instrumentInstalledProductId
    const page = await pageOf('customer')
    for (const id of ['999999999', 'no%20instrument', foreign ?? '']) {
      await page.goto(`/instruments/${id}`)
      await expect(page.getByRole('alert')).toContainText('Instrument could not be found.')
      await expect(page.getByRole('link', { name: 'Close', exact: true })).toBeVisible()
    }
  })

  test('texts from people in any script as text, and a dash where nothing is known, at every width and in both themes', async ({
    pageOf,
    product,
  }) => {
    const registry = await Registry.of(product)
    const bare = await registry.laboratory()
    const full = await registry.laboratory({
      customer: 'مختبر <b>النيل</b>',
      site: { street: '丸の内一丁目<script>', zip: '100-0005', city: '千代田区', country: 'Japan', region: 'APAC' },
      instrument: {
        productDescription: `ÄKTA pure 25 ${'מערכת ארוכה '.repeat(12)}`,
        systemName: '<img src=x onerror="window.ran=1">',
        qualifiedSystem: true,
      },
      contact: { key: `"><b>x@${Math.random()}`, input: { name: '山田 <b>太郎</b>', phone: '<b>1</b>' } },
      contract: { type: 'العناية', slaTerm: '<b>24 h</b>', startDate: '2020-01-01', endDate: '2021-01-31' },
    })
    const networks = '[{"name":"<b>LAN</b>","ip":"10.0.0.1","dhcpEna'
    await full.alarms.send([
      {
        specversion: '1.0',
        id: 'e2e-software-1',
        source: `/gateways/${full.gateway}`,
        subject: full.instrument,
        time: new Date().toISOString(),
        sequence: 1000,
        type: 'benchwatch.clients.changed',
        data: { clientPcNames: ['<b>PC</b>'], unicornVersion: '7.11', unicornNetworkConfigurations: networks },
      },
    ])
    const page = await pageOf('support')
    for (const { instrument } of [bare, full]) {
      await page.setViewportSize({ width: 1440, height: 900 })
      await page.goto(`/instruments/${instrument}`)
      await expect(fact(page, { on: 'Connection', name: 'Last seen' })).toHaveText(/Now|ago|–/)
      if (instrument === bare.instrument) {
        await expect(fact(page, { on: 'Customer', name: 'Contract end' })).toHaveText('–')
        await expect(fact(page, { on: 'Customer', name: 'Contact' })).toHaveText('–')
        await expect(fact(page, { on: 'Location', name: 'Address' })).toHaveText('–')
        await expect(fact(page, { on: 'Software', name: 'UNICORN version' })).toHaveText('–')
      } else {
        await expect(title(page)).toContainText('Qualified')
        await expect(fact(page, { on: 'Customer', name: 'Contract end' })).toHaveText('31-Jan-2021expired')
        await expect(fact(page, { on: 'Customer', name: 'Contact' })).toHaveText('山田 <b>太郎</b>')
        await expect(card(page, 'Network configurations as received')).toHaveText(networks)
        await expect(page.getByRole('button', { name: 'Copy network configurations' })).toBeVisible()
      }
      await expectNoObjections(page)
      for (const width of [1440, 1024, 390]) {
        await page.setViewportSize({ width, height: 900 })
        await expectNothingCutOff(page, `${instrument} at ${width} px`)
      }
    }
    expect(await page.evaluate(() => (window as { ran?: number }).ran ?? null)).toBeNull()
    await expect(page.locator('main img')).toHaveCount(0)
    await expect(page.locator('main b').filter({ hasText: /النيل|太郎|24 h|LAN|PC/ })).toHaveCount(0)
  })
})
