import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { objections } from '../../axe.ts'
import { expect, test } from '../../fixtures.ts'
import { instrumentBehind } from '../../fleet.ts'

/** A receiver on this machine that keeps what it got, and refuses as many of the next requests as it is told. */
async function startReceiver() {
  const receiver = { url: '', refusals: 0, requests: [] as { headers: IncomingHttpHeaders; body: string }[] }
  const server = createServer((request, response) => {
    text(request)
      .then((body) => {
        receiver.requests.push({ headers: request.headers, body })
        const isRefused = receiver.refusals > 0
        if (isRefused) receiver.refusals -= 1
        response.writeHead(isRefused ? 503 : 204).end(isRefused ? 'Out to lunch' : undefined)
      })
      .catch((error: Error) => response.destroy(error))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  return { receiver, close: () => server.close() }
}

test('a webhook is created, shows its secret once, is tested, sends an event, and shows request and answer', async ({
  pageOf,
  alarms,
  product,
}) => {
  const { receiver, close } = await startReceiver()
  const page = await pageOf('support')
  await page.goto('/settings/webhooks')
  await expect(page.getByText('No webhooks yet')).toBeVisible()
  expect(await objections(page)).toEqual([])
  await page.getByRole('link', { name: 'New webhook' }).click()

  await page.getByRole('button', { name: 'Cancel' }).waitFor()
  await page.getByLabel('Name').fill('Duty room')
  await page.getByLabel('Address').fill('http://169.254.169.254/')
  await page.getByRole('button', { name: 'Create webhook' }).click()
  await expect(page.getByText(/belongs to a private network/)).toBeVisible()
  await page.getByLabel('Address').fill(receiver.url)
  expect(await objections(page)).toEqual([])
  await page.getByRole('button', { name: 'Create webhook' }).click()
  const dialog = page.getByRole('dialog', { name: 'Secret of Duty room' })
  const secret = (await dialog.locator('code').textContent()) ?? ''
  await dialog.getByLabel(/I have saved it/).check()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('heading', { name: 'Duty room' })).toBeVisible()
  await expect(page.getByText(secret)).toHaveCount(0)

  await page.getByRole('button', { name: 'Send test' }).click()
  const deliveries = page.getByRole('table', { name: 'Deliveries' })
  await expect(deliveries.getByText('Sent (204)')).toBeVisible()

  // The first repeat follows after five seconds, the next one only after a minute.
  receiver.refusals = 1
  const { description } = await alarms.raise(await instrumentBehind(product, alarms.gateway), {
    words: 'Webhook pressure',
  })
  await expect(deliveries.getByText('Sent (204)')).toHaveCount(2)
  const { headers, body } = receiver.requests.at(-1) ?? { headers: {}, body: '' }
  expect(body).toContain(description)
  const signed = [headers['webhook-id'], headers['webhook-timestamp'], body].join('.')
  const hash = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    .update(signed)
    .digest('base64')
  expect(headers['webhook-signature']).toBe(`v1,${hash}`)

  await page.getByRole('button', { name: /^Details of Event raised/ }).click()
  const details = page.getByRole('dialog', { name: 'Event raised' })
  await expect(details.getByText('Out to lunch').first()).toBeVisible()
  await expect(details.getByRole('region', { name: 'Request' })).toContainText(description)
  expect(await objections(page)).toEqual([])
  await page.getByRole('button', { name: 'Send again' }).click()
  // After the test, the refused attempt and its repeat.
  await expect.poll(() => receiver.requests.length).toBe(4)
  expect(receiver.requests.at(-1)?.headers['webhook-id']).toBe(headers['webhook-id'])

  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('No webhooks yet')).toBeVisible()
  close()
})
