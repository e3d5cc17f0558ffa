import { findEvents } from '../../find-events.ts'
import { expect, signIn, test } from '../../fixtures.ts'
import { expectNoObjections } from '../../look.ts'
import { demoDataDir, startProduct } from '../../product.ts'
import { Registry } from '../../registry.ts'

/** Events are told of only once a server has listened for so long. */
const SILENCE_SECONDS = 10
/** An instrument counts as lost after 10 minutes. */
const LOST_MS = 11 * 60_000

test('INSTRUMENT_STATUS_TEMPLATE: events of silent instruments take their texts from a template that an administrator edits', async ({
  browser,
}) => {
  test.setTimeout(150_000)
  const product = await startProduct({
    from: demoDataDir,
    environment: { GATEWAY_SILENCE_SECONDS: String(SILENCE_SECONDS) },
  })
  const context = await browser.newContext({
    baseURL: product.baseUrl,
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
  })
  try {
    await signIn(context, product, 'admin')
    const page = await context.newPage()
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

    const { alarms, instrument, gateway } = await (await Registry.of(product)).laboratory()
    await alarms.tellStatuses(instrument, [{ status: 'disconnected', at: new Date(Date.now() - LOST_MS) }])
    const raised = async () => {
      // The gateway lives: it is the instrument that is silent.
      await alarms.heartbeat()
      const [event] = await findEvents(product, `keyword=${instrument}`)
      return event?.eventId
    }
    await expect.poll(raised, { timeout: 60_000, intervals: [1000] }).toBeDefined()
    const told = await context.newPage()
    await told.goto(`/events/${await raised()}`)
    const happened = told.getByRole('region', { name: 'What happened' })
    await expect(happened).toContainText(`Nothing heard from ÄKTA pure 25 (${instrument}), says ${gateway}`)
    await expect(happened).toContainText('Please call the laboratory.')

    // Without the flag they are kept, and not used.
    await page.getByRole('link', { name: 'Flags' }).click()
    await page.getByRole('switch', { name: 'Template for lost connections' }).click()
    await page.getByRole('link', { name: 'Connection events' }).click()
    await expect(page.getByText('These texts are not used')).toBeVisible()
    await form.getByRole('button', { name: 'Use built-in texts' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Use built-in texts' }).click()
    await expect(
      page.getByRole('alert').filter({ hasText: 'Silent instrument: built-in texts restored' }),
    ).toBeVisible()
    await expect(description).toHaveValue('Gateway {gateway} has not reached {instrument} for {minutes} min.')
  } finally {
    await context.close()
    await product.stop()
  }
})
