import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import type { Page } from '@playwright/test'
import type { Alarms } from '../../alarms.ts'
import { apiOf } from '../../api.ts'
import { expect, test as ofDemo } from '../../fixtures.ts'
import { instrumentBehind } from '../../fleet.ts'
import { expectGoodLook } from '../../look.ts'
import { demoDataDir, type Product, startProduct } from '../../product.ts'

interface Desk {
  url: string
  isAway: boolean
  cases: { number: string; reference: string; title: string }[]
}

/** A product of its own, because a case desk is configured when the product starts. */
const test = ofDemo.extend<object, { desk: Desk; product: Product }>({
  desk: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright asks for a destructured first argument.
    async ({}, use) => {
      const desk: Desk = { url: '', isAway: false, cases: [] }
      const server = createServer((request, response) => {
        const { searchParams } = new URL(request.url ?? '/', desk.url)
        if (desk.isAway) {
          response.writeHead(503).end()
          return
        }
        if (request.method === 'GET') {
          const found = desk.cases.filter(({ reference }) => reference === searchParams.get('reference'))
          response.end(JSON.stringify({ cases: found }))
          return
        }
        json(request).then(
          (body) => {
            const made = {
              number: String(40_000_001 + desk.cases.length),
              ...(body as { reference: string; title: string }),
            }
            desk.cases.push(made)
            response.end(JSON.stringify(made))
          },
          () => response.writeHead(400).end(),
        )
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      desk.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      await use(desk)
      server.close()
      server.closeAllConnections()
    },
    { scope: 'worker' },
  ],
  product: [
    async ({ desk }, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'benchwatch-desk-'))
      const file = join(folder, 'desk.yaml')
      await writeFile(
        file,
        `kind: rest
name: Field desk
url: ${desk.url}
find: { path: "/cases?reference={correlationId}", list: cases }
create: { path: /cases, body: { title: "{title}", reference: "{correlationId}" } }
case: { number: number, correlationId: reference }
caseUrl: https://cases.benchwatch.example/{number}
`,
      )
      const product = await startProduct({ from: demoDataDir, environment: { CASE_DESK_FILE: file } })
      await use(product)
      await product.stop()
      await rm(folder, { recursive: true })
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})

/** Opens an event that was just raised, takes it and chooses the reason. */
async function takeAndClose(
  page: Page,
  { alarms, product, words }: { alarms: Alarms; product: Product; words: string },
) {
  const alarm = await alarms.raise(await instrumentBehind(product, alarms.gateway), { words })
  await page.goto(`/events?keyword=${alarm.alertId.slice(-6)}`)
  await page.getByRole('link', { name: /^ORC-\d+$/ }).click()
  await page.getByRole('button', { name: 'Owner: None' }).click()
  await page.getByRole('option', { name: 'Assign to me' }).click()
  await expect(page.getByRole('button', { name: 'Owner: Me' })).toBeVisible()
  await page.getByRole('button', { name: 'Close event…' }).click()
  const dialog = page.getByRole('dialog', { name: /^Close event ORC-/ })
  await expect(dialog.getByLabel('Reason')).toBeFocused()
  await page.keyboard.press('s')
  await expect(dialog.getByRole('radio', { name: 'Create the case in Field desk' })).toBeChecked()
  return { alarm, dialog }
}

test('while the desk is away, the event stays open and says why, until its owner enters a number', async ({
  pageOf,
  alarms,
  product,
  desk,
}) => {
  desk.isAway = true
  const page = await pageOf('support')
  const { dialog } = await takeAndClose(page, { alarms, product, words: 'Inlet valve stuck' })
  await expectGoodLook(page, 'service-case-dialog')
  await dialog.getByRole('button', { name: 'Create case' }).click()
  const waiting = page.getByRole('region', { name: 'Service case' })
  await expect(waiting).toContainText('Case is being created in Field desk.')
  // The page reads the event again every ten seconds.
  await expect(waiting).toContainText('Field desk is not available (503).')
  await expect(page.getByRole('button', { name: 'Status: In progress' })).toBeVisible()
  await expectGoodLook(page, 'service-case-waiting')

  await waiting.getByRole('button', { name: 'Stop creating the case' }).click()
  await expect(waiting).toHaveCount(0)
  desk.isAway = false
  await page.getByRole('button', { name: 'Close event…' }).click()
  await dialog.getByLabel('Reason').selectOption('Service Case Created')
  await dialog.getByRole('radio', { name: 'Enter the number of a case' }).check()
  await dialog.getByLabel('Service case number').fill('00123456')
  await dialog.getByRole('button', { name: 'Close event' }).click()
  await expect(page.getByRole('region', { name: 'How it was closed' })).toContainText('00123456')
  expect(desk.cases.filter(({ title }) => title.includes('Inlet valve stuck'))).toEqual([])
})

test('a case is created by the desk, closes the event, and shows what the desk reports about it', async ({
  pageOf,
  alarms,
  product,
  desk,
  request,
}) => {
  const page = await pageOf('support')
  const { alarm } = await takeAndClose(page, { alarms, product, words: 'Outlet valve stuck' })
  await page.keyboard.press('Enter')
  const closing = page.getByRole('region', { name: 'How it was closed' })
  await expect(closing).toContainText('Service Case Created')
  const made = desk.cases.filter(({ title }) => title.includes(alarm.description))
  expect(made).toHaveLength(1)
  const number = made[0]?.number ?? ''
  await expect(closing.getByRole('link')).toHaveAttribute('href', `https://cases.benchwatch.example/${number}`)

  // The desk reports with a token for cases alone.
  const { token } = await apiOf(product, 'admin').call('createApiToken', {
    body: { name: 'Field desk', scopes: ['cases'], expiresAt: new Date(Date.now() + 86_400_000).toISOString() },
  })
  const told = await request.patch(`${product.baseUrl}/api/integrations/cases/${number}`, {
    headers: { authorization: `Bearer ${token}` },
    data: { status: 'Technician on the way', note: 'Arrives on Friday.', at: new Date().toISOString() },
  })
  expect(told.status()).toBe(204)
  await expect(closing).toContainText('Technician on the way since')
  const history = page.getByRole('region', { name: 'History' })
  await expect(history).toContainText('set the status of the case to Technician on the way')
  await expect(history).toContainText('Arrives on Friday.')
  await expectGoodLook(page, 'service-case-closed')
})
