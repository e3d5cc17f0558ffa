import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@benchwatch/client/client'
import type { Page } from '@playwright/test'
import { apiOf } from '../../api.ts'
import { objections } from '../../axe.ts'
import { findEvents } from '../../find-events.ts'
import { expect, test } from '../../fixtures.ts'
import { expectGoodLook } from '../../look.ts'
import type { Product } from '../../product.ts'
import { Registry } from '../../registry.ts'

const toast = (page: Page, text: string | RegExp) => page.getByRole('alert').filter({ hasText: text })
const forbidden = (page: Page) => page.getByRole('heading', { name: 'You can’t open this page' })
const tool = (page: Page, name: string) => page.getByRole('form', { name })
const IPID = 'Installed product ID'

/** An instrument that support sees. */
async function someInstrument(product: Product): Promise<string> {
  const { values } = await apiOf(product, 'support').call('listInstruments', {
    query: { limit: 1 },
    body: { filter: { orcStatus: ['Connected'] } },
  })
  return values[0]?.instrumentInstalledProductId ?? ''
}

test.describe('the back office', () => {
  test('is for users with the flag BACKOFFICE: a link in the user menu, otherwise the forbidden page', async ({
    pageOf,
  }) => {
    for (const who of ['service', 'customer'] as const) {
      const page = await pageOf(who)
      await page.goto('/backoffice')
      await expect(forbidden(page)).toBeVisible()
      await page.getByRole('button', { name: /user menu/ }).click()
      await expect(page.getByRole('menuitem', { name: 'Settings' })).toBeVisible()
      await expect(page.getByRole('menuitem', { name: 'Back office' })).toHaveCount(0)
    }
    const support = await pageOf('support')
    await support.goto('/events')
    await support.getByRole('button', { name: /user menu/ }).click()
    await support.getByRole('menuitem', { name: 'Back office' }).click()
    await expect(support).toHaveURL(/\/backoffice$/)
    for (const name of ['Insert log', 'Create event', 'Change instrument status', 'Delete unsubscriptions'])
      await expect(tool(support, name)).toBeVisible()
  })

  test('Insert logs: every field says what it needs, and the line is in the log', async ({ pageOf, product }) => {
    const ipid = await someInstrument(product)
    const page = await pageOf('support')
    await page.goto('/backoffice?tool=insert-log')
    const form = tool(page, 'Insert log')
    await form.getByRole('button', { name: 'Insert log' }).click()
    await expect(form.getByText('Log type cannot be empty.')).toBeVisible()
    await expect(form.getByText('Installed product ID cannot be empty.')).toBeVisible()
    await form.getByLabel('Log type').selectOption('VID')
    await form.getByLabel('Message').fill('Written by hand')
    await form.getByRole('combobox', { name: IPID }).fill(ipid)
    await page
      .getByRole('listbox')
      .getByRole('option', { name: new RegExp(ipid) })
      .click()
    await form.getByRole('button', { name: 'Insert log' }).click()
    await expect(form.getByText('Module cannot be empty.')).toBeVisible()
    await form.getByLabel('Module').fill('P9-B')
    const inserted = page.waitForResponse(/\/backoffice\/inject-logs$/)
    await form.getByRole('button', { name: 'Insert log' }).click()
    expect((await inserted).status()).toBe(201)
    await expect(toast(page, 'Log inserted')).toBeVisible()
    const lines = await apiOf(product, 'support').call('listInstrumentLogs', {
      query: { logType: 'VID', size: 1, instrumentInstalledProductId: ipid },
    })
    expect(JSON.stringify(lines)).toContain('Written by hand')
  })

  test('Create events: reason fields are disabled for New or In progress; a closed event is made', async ({
    pageOf,
    product,
  }) => {
    const ipid = await someInstrument(product)
    const page = await pageOf('support')
    await page.goto('/backoffice?tool=create-event')
    const form = tool(page, 'Create event')
    await form.getByRole('button', { name: 'Create event' }).click()
    await expect(form.getByText('Module name cannot be empty.')).toBeVisible()
    await form.getByRole('combobox', { name: IPID }).fill(ipid)
    await form.getByLabel('Template ID').fill('P9B-1042')
    await form.getByLabel('Module name').fill(`Pump ${randomUUID().slice(0, 8)} (P9-B)`)
    await form.getByLabel('Description').fill('Made by hand')
    await form.getByLabel('User message').fill('Nothing to do')
    await form.getByLabel('Severity').selectOption('low')
    await form.getByRole('button', { name: /alert ID/ }).click()
    await expect(form.getByLabel('Reason closed')).toBeDisabled()
    await form.getByLabel('Alert status').selectOption('In progress')
    await expect(form.getByLabel('Reason closed')).toBeDisabled()
    await form.getByRole('button', { name: 'Create event' }).click()
    await expect(form.getByText('Owner cannot be empty.')).toBeVisible()
    await form.getByLabel('Alert status').selectOption('Closed')
    await form.getByLabel('Owner').selectOption({ index: 1 })
    await form.getByLabel('Reason closed').selectOption('Service Case Created')
    await expect(form.getByLabel('Reason comment')).toHaveCount(0)
    await form.getByLabel('ServiceMax case number').fill('00012345')
    await form.getByRole('button', { name: 'Create event' }).click()
    await expect(toast(page, 'Event created')).toBeVisible()
    await form.getByRole('link', { name: /^ORC-\d+$/ }).click()
    await expect(page.getByText('Made by hand').first()).toBeVisible()
    await expect(page.getByText('00012345').first()).toBeVisible()
  })

  test('Change instrument status, then search and delete an unsubscription', async ({ pageOf, product }) => {
    const ipid = await someInstrument(product)
    const page = await pageOf('support')
    await page.goto('/backoffice?tool=change-status')
    const form = tool(page, 'Change instrument status')
    await form.getByRole('combobox', { name: IPID }).fill(ipid)
    await form.getByLabel('Instrument status').selectOption('Wash')
    await expect(form.getByLabel('Create offline event')).toHaveCount(0)
    const changed = page.waitForResponse((answer) => answer.request().method() === 'PUT')
    await form.getByRole('button', { name: 'Change status' }).click()
    expect(await (await changed).json()).toMatchObject({ ipid, instrumentStatus: 'wash' })
    await expect(toast(page, 'Instrument status changed')).toBeVisible()

    const unsubscriptions = tool(page, 'Delete unsubscriptions')
    await unsubscriptions.getByRole('button', { name: 'Search' }).click()
    const rows = page.getByRole('table', { name: 'Unsubscriptions' }).locator('[data-row]')
    await expect(rows.first()).toBeVisible()
    const before = await rows.count()
    await rows
      .first()
      .getByRole('button', { name: /^Delete/ })
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
    await expect(toast(page, 'Unsubscription successfully deleted')).toBeVisible()
    await expect(rows).toHaveCount(before - 1)
    await unsubscriptions.getByLabel('Contact e-mail').fill('nobody@nowhere.example')
    await unsubscriptions.getByRole('button', { name: 'Search' }).click()
    await expect(page.getByText('No unsubscriptions found')).toBeVisible()
  })

  test('a page that shows the state of the feed: a test is run, a parked item is mended and taken in', async ({
    pageOf,
    product,
  }) => {
    const [gateway, epoch] = ['GW-UPP-01', randomUUID().slice(0, 8)]
    const item = {
      ...{ specversion: '1.0', id: `${epoch}-1`, source: `/gateways/${gateway}`, type: 'benchwatch.heart' },
      ...{ subject: gateway, time: new Date().toISOString(), sequence: '1', data: {} },
    }
    const sent = await createClient({
      ...{ url: product.baseUrl, token: await product.gatewayKey(gateway), retries: 0 },
    }).call('ingestBatch', { params: { gateway }, body: [item] })
    expect(sent.rejected).toHaveLength(1)

    const page = await pageOf('support')
    await page.goto('/backoffice?tool=feed')
    const row = page.locator(`[data-row="${gateway}"]`)
    await page.getByRole('button', { name: 'Run a test now' }).click()
    await expect(toast(page, /^Tests? sent through/)).toBeVisible()
    await expect(row.getByText(/In progress|Arrived/)).toBeVisible()
    expect(await objections(page)).toEqual([])
    await row.getByRole('link', { name: `1 parked item of ${gateway}` }).click()
    await expect(page).toHaveURL(new RegExp(`tool=parked&gateway=${gateway}`))
    await page.getByRole('button', { name: `Open item ${epoch}-1 of ${gateway}` }).click()
    const dialog = page.getByRole('dialog', { name: 'Fix parked item' })
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await expect(dialog.getByText(/^Still not valid/)).toBeVisible()
    const text = dialog.getByLabel('Item (JSON)')
    await text.fill((await text.inputValue()).replace('benchwatch.heart', 'benchwatch.heartbeat'))
    await dialog.getByRole('button', { name: 'Try again with changes' }).click()
    await expect(toast(page, `Item ${epoch}-1 processed`)).toBeVisible()
    await expect(page.getByText('No parked items')).toBeVisible()
    await page.getByText('Resolved', { exact: true }).click()
    await expect(page.getByText(`${epoch}-1`, { exact: true })).toBeVisible()
  })

  test('a source whose broker is away is down on the feed page, and its instrument is disconnected with the reason', async ({
    pageOf,
    product,
  }) => {
    const { instrument: id, gateway, key } = await (await Registry.of(product)).laboratory()
    const folder = await mkdtemp(join(tmpdir(), 'sources-'))
    const sources = join(folder, 'sources.yaml')
    await writeFile(
      sources,
      // Nobody listens to port 1.
      `sources: [{ kind: mqtt, name: skids, url: "mqtt://127.0.0.1:1", topics: [lab], lostAfter: 1s, instruments: [${id}] }]`,
    )
    const program = spawn(process.execPath, [join(import.meta.dirname, '../../../packages/gateway/src/main.ts')], {
      env: {
        BENCHWATCH_URL: product.baseUrl,
        GATEWAY_NAME: gateway,
        GATEWAY_KEY: key,
        OUTBOX_DIR: folder,
        GATEWAY_SOURCES: sources,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let said = ''
    for (const stream of [program.stdout, program.stderr]) stream.on('data', (text) => (said += String(text)))
    try {
      await expect.poll(() => said, { timeout: 60_000 }).toContain('The server accepts this gateway')
      const page = await pageOf('support')
      await page.goto('/backoffice?tool=feed')
      const row = page.locator(`[data-row="${gateway}"]`)
      await expect(row.getByText('skids (mqtt) down')).toBeVisible()
      const reason = /The broker 127\.0\.0\.1:1 can't be used: .*ECONNREFUSED/
      await expect(row.getByText(reason)).toBeVisible()
      await expect(page.getByText(/1 link down/)).toBeVisible()
      expect(await objections(page)).toEqual([])
      await page.goto(`/instruments/${id}`)
      const connection = page.getByRole('region', { name: 'Connection' })
      await expect(connection).toContainText('Disconnected')
      await expect(connection).toContainText(reason)
    } finally {
      program.kill('SIGKILL')
      await new Promise((resolve) => program.once('close', resolve))
      await rm(folder, { recursive: true })
    }
  })

  test('customer e-mails and unicorn PC names are found by id, customer or address', async ({ pageOf }) => {
    const page = await pageOf('support')
    await page.goto('/backoffice?tool=contacts')
    await page.getByRole('searchbox', { name: 'Search instruments and addresses' }).fill('helixbio.example')
    const rows = page.getByRole('table', { name: 'Customer e-mails and PC names' }).locator('[data-row]')
    await expect(rows.first()).toContainText('Helix Biologics')
    await expect(rows.filter({ hasText: 'HELIX-' }).first()).toBeVisible()
  })

  test('ALLOW_EVENT_DELETE: the tool is there with the flag alone, and deletes what was named', async ({
    pageOf,
    product,
  }) => {
    const page = await pageOf('support')
    await page.goto('/backoffice')
    const tab = page.getByRole('navigation', { name: 'Back office' }).getByRole('link', { name: 'Delete', exact: true })
    await expect(tool(page, 'Insert log')).toBeVisible()
    await expect(tab).toHaveCount(0)
    const allowDelete = (value: 'true' | null) =>
      apiOf(product, 'admin').call('setFeatureFlag', { params: { key: 'ALLOW_EVENT_DELETE' }, body: { value } })
    await allowDelete('true')
    try {
      await tab.click()
      const [event] = await findEvents(product)
      const name = `ORC-${event?.eventId}`
      const form = tool(page, 'Delete a service event')
      await form.getByLabel('Event ID').fill(name)
      const button = form.getByRole('button', { name: 'Delete event permanently' })
      await expect(form.getByLabel(`Type ${name} to confirm`)).toBeVisible()
      await expect(button).toBeDisabled()
      await form.getByLabel(`Type ${name} to confirm`).fill(name)
      await button.click()
      await expect(toast(page, `Deleted: ${name}`)).toBeVisible()
      const gone = apiOf(product, 'support').call('getServiceEventByEventId', { params: { eventId: name } })
      await expect(gone).rejects.toMatchObject({ status: 404 })
    } finally {
      await allowDelete(null)
    }
    await expect(tab).toHaveCount(0)
  })

  test('axe has nothing to object to, in both themes', async ({ pageOf }) => {
    const page = await pageOf('support')
    for (const part of ['tools', 'parked', 'held-back', 'contacts']) {
      await page.goto(`/backoffice?tool=${part}`)
      await expect(page.getByRole('heading', { name: 'Back office' })).toBeVisible()
      await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
      await expectGoodLook(page, `backoffice-${part}`)
    }
  })

  test('the feed looks right, and on a phone three values are in a line below the name of a gateway', async ({
    pageOf,
  }) => {
    const page = await pageOf('support')
    await page.goto('/backoffice?tool=feed')
    const row = page.locator('[data-row]').first()
    await expect(row).toBeVisible()
    await expectGoodLook(page, 'backoffice-feed')
    await page.setViewportSize({ width: 390, height: 900 })
    const [name, state, , lag] = await row.evaluate(({ children }) =>
      Array.from(children, (cell) => cell.getBoundingClientRect().toJSON() as DOMRect),
    )
    expect(state?.top).toBeGreaterThanOrEqual(name?.bottom ?? Number.POSITIVE_INFINITY)
    expect(lag?.top).toBeLessThan(state?.bottom ?? 0)
  })
})
