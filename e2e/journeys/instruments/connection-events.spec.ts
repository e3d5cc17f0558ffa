import { apiOf } from '../../api.ts'
import { findEvents } from '../../find-events.ts'
import { expect, test } from '../../fixtures.ts'
import { expectNoObjections } from '../../look.ts'
import { Registry } from '../../registry.ts'

test('INSTRUMENT_STATUS_TEMPLATE: events of silent instruments take their texts from a template that an administrator edits', async ({
  pageOf,
  product,
}) => {
  const page = await pageOf('admin')
  await page.goto('/administration/users')
  await page.getByRole('link', { name: 'Connection events' }).click()
  const form = page.getByRole('region', { name: 'Silent instrument', exact: true })
  const preview = page.getByRole('region', { name: 'Preview: silent instrument' })
  await expect(form).toContainText('Built-in texts')
  await expect(preview).toContainText(/Gateway \S+ has not reached .+ \(IP-\d+\) for 10 min\./)

  const description = form.getByLabel('Description')
  await description.fill('{Instrument} is gone')
  await expect(form.getByText('Unknown placeholder: {Instrument}. Did you mean {instrument}?')).toBeVisible()
  await description.fill('Nothing heard from ')
  await form.getByRole('button', { name: /^\{instrument\}/ }).click()
  await page.keyboard.type(', says {gateway}')
  await expect(description).toHaveValue('Nothing heard from {instrument}, says {gateway}')
  await form.getByLabel('Message to the user').fill('Please call the laboratory.')
  await form.getByLabel('Severity').selectOption({ label: 'High' })
  await expect(preview).toContainText(/Nothing heard from .+ \(IP-\d+\), says \S+/)
  await expect(preview).toContainText('HIGH')
  await expectNoObjections(page)
  await page.getByRole('link', { name: 'Users' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click()
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Silent instrument: texts saved' })).toBeVisible()
  await expect(form).toContainText(/Updated .+ by Priya Raman/)

  const { instrument, gateway } = await (await Registry.of(product)).laboratory()
  // The tool raises what is raised by itself after ten minutes.
  await apiOf(product, 'support').call('setBackofficeInstrumentStatus', {
    body: { ipid: instrument, instrumentStatus: 'disconnected', orcStatus: 'Disconnected', createOfflineEvent: true },
  })
  const [event] = await findEvents(product, { keyword: instrument })
  const told = await page.context().newPage()
  await told.goto(`/events/${event?.eventId}`)
  const happened = told.getByRole('region', { name: 'What happened' })
  await expect(told.getByRole('heading', { level: 1 })).toContainText(
    `Nothing heard from ÄKTA pure 25 (${instrument}), says ${gateway}`,
  )
  await expect(happened).toContainText('Please call the laboratory.')

  // Without the flag they are kept, and not used.
  await page.getByRole('link', { name: 'Flags' }).click()
  const flag = page.getByRole('switch', { name: 'Template for lost connections' })
  await flag.click()
  await expect(flag).not.toBeChecked()
  await page.getByRole('link', { name: 'Connection events' }).click()
  await expect(page.getByText('These texts are not used')).toBeVisible()
  await form.getByRole('button', { name: 'Use built-in texts' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Use built-in texts' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Silent instrument: built-in texts restored' })).toBeVisible()
  await expect(description).toHaveValue('Gateway {gateway} has not reached {instrument} for {minutes} min.')

  // Other journeys of this product find the flag as it was.
  await page.getByRole('navigation', { name: 'Administration' }).getByRole('link', { name: 'Flags' }).click()
  await flag.click()
  await expect(flag).toBeChecked()
})
