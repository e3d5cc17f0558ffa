import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createClient } from '@benchwatch/client/client'
import type { IngestItemInput } from '@benchwatch/contract/ingest'
import type { Page } from '@playwright/test'
import type { Alarms } from '../../alarms.ts'
import { apiOf } from '../../api.ts'
import { findEvents } from '../../find-events.ts'
import { expect, test } from '../../fixtures.ts'
import { expectGoodLook } from '../../look.ts'
import { Registry } from '../../registry.ts'

type Heartbeat = Extract<IngestItemInput, { type: 'benchwatch.heartbeat' }>['data']

/** Returns what tells the server the heartbeats of a gateway. */
function heart({ gateway, alarms }: { gateway: string; alarms: Alarms }) {
  const epoch = randomUUID()
  let sequence = 0
  return (data: Heartbeat) => {
    sequence += 1
    return alarms.send([
      {
        specversion: '1.0',
        id: `${epoch}-${sequence}`,
        source: `/gateways/${gateway}`,
        type: 'benchwatch.heartbeat',
        subject: gateway,
        time: new Date().toISOString(),
        sequence,
        data,
      },
    ])
  }
}

const since = new Date(Date.now() - 2 * 3_600_000).toISOString()
const link = {
  name: 'freezer-2',
  kind: 'opcua',
  state: 'down' as const,
  since,
  reason: 'The server is away.',
  unmatched: 7,
  items: 1204,
  lastItemAt: since,
  unmatchedNames: [{ field: 'conditionName', name: 'Door open', count: 7, lastAt: since }],
}
const rowOf = (page: Page, table: string | RegExp, text: string) =>
  page.getByRole('table', { name: table }).getByRole('row').filter({ hasText: text })

test('the page of a gateway shows its sources, and follows the reports of the gateway', async ({ pageOf, product }) => {
  const lab = await (await Registry.of(product)).laboratory()
  const tell = heart(lab)
  await tell({ version: '2.12.2', backlog: 17, links: [link] })
  const page = await pageOf('admin')
  await page.goto(`/administration/gateways?keyword=${lab.gateway}`)
  await expect(rowOf(page, 'Gateways', lab.gateway)).toContainText('1 source, 1 down')
  await page.getByRole('link', { name: lab.gateway }).click()
  await expect(page.getByText('Version: 2.12.2 · Backlog: 17 items')).toBeVisible()
  const source = rowOf(page, /^Sources/, 'freezer-2')
  await expect(source).toContainText('The server is away.')
  await expect(source).toContainText('1,204')
  await expectGoodLook(page, 'gateway-sources')

  await tell({ version: '2.12.2', backlog: 0, links: [{ ...link, state: 'up', reason: null, unmatchedNames: [] }] })
  await expect(source).toContainText('Up for 2 h')
  await expect(page.getByText('Backlog: 0 items')).toBeVisible()
  await expect(page.getByText('Door open')).toHaveCount(0)
})

test('a name that no rule matched becomes an event template with the id that the gateway derives from it', async ({
  pageOf,
  product,
}) => {
  const lab = await (await Registry.of(product)).laboratory()
  await heart(lab)({ links: [link] })
  const page = await pageOf('admin')
  await page.goto(`/administration/gateways/${lab.gateway}`)
  await page.getByRole('link', { name: 'Make a template from Door open' }).click()
  await expect(page.getByLabel('Template ID')).toHaveValue('FREEZER2-Door_open')
  await expect(page.getByLabel('Description')).toHaveValue('Door open')
  await page.getByRole('button', { name: 'Register' }).click()
  await expect(page.getByText('Choose an instrument type.')).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
  await expect(page.getByRole('heading', { name: lab.gateway })).toBeVisible()
})

test('what was reported before its instrument was registered is shown with the reason, and taken in afterwards', async ({
  pageOf,
  product,
}) => {
  const { gateway, key, instrument } = await (await Registry.of(product)).laboratory()
  const late = instrument.replace('IP-', 'IP-8')
  const epoch = randomUUID()
  const alarm = {
    ...{ specversion: '1.0', source: `/gateways/${gateway}`, subject: late, time: new Date().toISOString() },
    ...{ id: `${epoch}-1`, type: 'benchwatch.alarm.raised', sequence: 1 },
    data: {
      ...{ alertId: late, templateId: 'E2E-LATE', alertType: 1, severity: 'high', componentName: 'Door' },
      ...{ description: `Door of ${late} is open`, logGeneratedAt: new Date().toISOString() },
    },
  }
  const end = { type: 'benchwatch.alarm.cleared', id: `${epoch}-2`, sequence: 2, data: { alertId: late } }
  const { rejected } = await createClient({ url: product.baseUrl, token: key, retries: 0 }).call('ingestBatch', {
    params: { gateway },
    body: [alarm, { ...alarm, ...end }],
  })
  expect(rejected).toHaveLength(2)
  const admin = await pageOf('admin')
  await admin.goto(`/administration/gateways/${gateway}`)
  const parked = rowOf(admin, 'Parked items', `No instrument "${late}" is registered.`)
  await expect(parked).toContainText('2')
  await expectGoodLook(admin, 'gateway-parked')
  const api = apiOf(product, 'admin')
  const known = await api.call('getRegisteredInstrument', { params: { key: instrument } })
  await api.call('putInstrument', {
    params: { key: late },
    body: { type: 'AKTAPure', productDescription: 'ÄKTA pure 25', site: known.site, gateway },
  })
  const support = await pageOf('support')
  await support.goto(`/backoffice?tool=parked&gateway=${gateway}`)
  await support.getByRole('button', { name: 'Try all 2 again' }).click()
  await expect(support.getByRole('alert').filter({ hasText: '2 items processed' })).toBeVisible()
  await expect(support.getByText('No parked items')).toBeVisible()
  await expect(parked).toHaveCount(0, { timeout: 15_000 })
  expect(await findEvents(product, { keyword: late })).toMatchObject([{ clearedAt: expect.any(String) }])
})

test('an event without a template gets one, and its template id is no longer listed', async ({ pageOf, product }) => {
  const lab = await (await Registry.of(product)).laboratory()
  const { templateId } = await lab.alarms.raise(lab.instrument, {
    words: 'Hatch open',
  })
  const page = await pageOf('admin')
  await page.goto(`/administration/gateways/${lab.gateway}`)
  const missing = page.getByRole('table', { name: 'Events without a template' })
  await expect(missing).toContainText(templateId)
  await page.getByRole('link', { name: `Make a template from ${templateId}` }).click()
  await expect(page.getByLabel('Instrument type')).toHaveValue('AKTAPure')
  await expect(page.getByLabel('Description')).toHaveValue(/Hatch open/)
  await page.getByRole('button', { name: 'Register' }).click()
  await expect(page.getByRole('alert').filter({ hasText: `AKTAPure/${templateId} registered` })).toBeVisible()
  await expect(page.getByRole('heading', { name: lab.gateway })).toBeVisible()
  await expect(missing).toHaveCount(0)
})

test('the file for a first instrument is written from a few answers, and is downloaded as it is shown', async ({
  pageOf,
  product,
}) => {
  const lab = await (await Registry.of(product)).laboratory()
  const page = await pageOf('admin')
  await page.goto(`/administration/gateways/${lab.gateway}`)
  await page.getByRole('link', { name: 'Connect an instrument' }).click()
  await expect(page.getByText('Choose the instrument.')).toBeVisible()
  await page.getByLabel('Protocol').selectOption('MQTT')
  await page.getByRole('combobox', { name: 'Instrument' }).fill(lab.instrument)
  await page.getByRole('option', { name: lab.instrument }).click()
  await page.getByLabel('Topic').fill('')
  await expect(page.getByText('Enter a topic such as lab/skid/alarm.').first()).toBeVisible()
  await page.getByLabel('Topic').fill('hall/skid')
  const file = page.getByRole('region', { name: 'sources.yaml' })
  await expect(file).toContainText('topics: ["hall/skid"]')
  await expect(file).toContainText(`instrument: ${lab.instrument}`)
  await expectGoodLook(page, 'connect-instrument')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  const saved = await download
  expect(saved.suggestedFilename()).toBe('sources.yaml')
  expect(await readFile(await saved.path(), 'utf8')).toBe(await file.textContent())
})
