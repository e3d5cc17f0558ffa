import { createClient } from '@benchwatch/client/client'
import type { OutboxMessage } from '@benchwatch/contract/messages/messages'
import type { Page } from '@playwright/test'
import { expect, people, signInOn, test } from '../../fixtures.ts'
import { instrumentBehind } from '../../fleet.ts'
import { expectNoObjections } from '../../look.ts'
import type { Product } from '../../product.ts'

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const wayOf = (page: Page, profile: string, way: string) => card(page, profile).getByRole('switch', { name: way })
const said = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text })

/** Adds a filter of a category with these values. */
async function choose(page: Page, profile: string, { category, values }: { category: string; values: string[] }) {
  await card(page, profile).getByRole('button', { name: 'Add filter' }).click()
  const list = page.getByRole('dialog')
  await list.getByLabel('Search filters').fill(category)
  await list.getByLabel('Search filters').press('Enter')
  for (const value of values) await list.getByRole('checkbox', { name: value, exact: true }).check()
  await list.getByRole('button', { name: 'Done' }).click()
  await expect(list).toBeHidden()
}

async function mailsTo(product: Product, address: string): Promise<OutboxMessage[]> {
  const { values } = await createClient({ url: product.baseUrl, retries: 0 }).call('listOutbox')
  return values.filter(({ channel, to }) => channel === 'email' && to === address)
}

test.describe('notification preferences', () => {
  test('a user who switches e-mails on for high events gets one, and none about a low one; the preview said so, and the setting is kept', async ({
    page,
    account,
    alarms,
    product,
  }) => {
    await page.goto('/settings')
    await signInOn(page, account)
    const save = page.getByRole('button', { name: 'Save', exact: true })
    await expect(card(page, 'All Events').getByText('No filters selected.')).toBeVisible()
    await expect(card(page, 'All Events').getByRole('button', { name: 'Add filter' })).toBeDisabled()
    await expect(wayOf(page, 'All Events', 'Text message')).toBeDisabled()
    await expect(card(page, 'Where messages go')).toContainText('An administrator can add it to your account.')
    await expect(save).toBeDisabled()

    await wayOf(page, 'All Events', 'E-mail').click()
    const preview = card(page, 'All Events').getByRole('button', { name: 'What would this have sent?' })
    await preview.click()
    await expect(card(page, 'All Events').getByText(/^[\d,]+ events in the last 7 days/)).toBeVisible()
    await choose(page, 'All Events', { category: 'severity', values: ['High'] })
    const severities = card(page, 'All Events').locator('[role=row][data-row] [role=cell]:first-child')
    await expect(severities).toHaveText(Array.from({ length: 20 }, () => 'HIGH'))
    // A component that edge issues lack leaves them out, which is said.
    await expect(card(page, 'All Events').getByText(/^Edge issues have no/)).toBeHidden()
    await choose(page, 'All Events', { category: 'component', values: ['Pump B (P9-B)'] })
    await expect(card(page, 'All Events').getByText(/^Edge issues have no component/)).toBeVisible()
    // Rows that are about to be replaced are faint.
    await expect(card(page, 'All Events').getByText('Updating…')).toBeHidden()
    await expectNoObjections(page)
    await save.click()
    await expect(said(page, 'Profile update successful')).toBeVisible()
    await expect(save).toBeDisabled()

    await page.reload()
    await expect(wayOf(page, 'All Events', 'E-mail')).toBeChecked()
    await expect(card(page, 'All Events').getByRole('button', { name: 'Remove High from severity' })).toBeVisible()

    const instrument = await instrumentBehind(product, alarms.gateway)
    const low = await alarms.raise(instrument, { words: 'Solution nearly empty', severity: 'low' })
    const high = await alarms.raise(instrument, { words: 'Pressure above limit', severity: 'high' })
    const mails = () => mailsTo(product, account.userId)
    await expect.poll(async () => (await mails()).filter(({ text }) => text?.includes(high.description)).length).toBe(1)
    expect((await mails()).filter(({ text }) => text?.includes(low.description))).toEqual([])
  })

  test('leaving with unsaved changes asks once, and what another window saved is shown before it is replaced', async ({
    page,
    account,
  }) => {
    await page.goto('/settings')
    await signInOn(page, account)
    await wayOf(page, 'All Events', 'E-mail').click()
    await page.getByRole('link', { name: 'Account and sign-in' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click()
    await expect(wayOf(page, 'All Events', 'E-mail')).toBeChecked()

    const elsewhere = await page.context().newPage()
    await elsewhere.goto('/settings')
    await wayOf(elsewhere, 'All Events', 'E-mail').click()
    await choose(elsewhere, 'All Events', { category: 'severity', values: ['Low'] })
    await elsewhere.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(said(elsewhere, 'Profile update successful')).toBeVisible()
    await elsewhere.close()

    const save = page.getByRole('button', { name: 'Save', exact: true })
    const notice = page.getByText('Changed in another window as well: All Events.')
    await save.click()
    await expect(notice).toBeVisible()
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    await expect(notice).toBeHidden()
    await expect(card(page, 'All Events').getByRole('button', { name: 'Remove Low from severity' })).toBeVisible()
    await expect(save).toBeDisabled()
    await page.getByRole('link', { name: 'Account and sign-in' }).click()
    await expect(card(page, 'Password')).toBeVisible()
  })

  test('a customer is offered only values of their own customers', async ({ pageOf }) => {
    const page = await pageOf('customer')
    await page.goto('/settings')
    await expect(card(page, 'Where messages go')).toContainText(people.customer)
    await wayOf(page, 'All Events', 'E-mail').check()
    await card(page, 'All Events').getByRole('button', { name: 'Add filter' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Customer' }).click()
    await expect(page.getByRole('dialog').getByRole('checkbox')).toHaveCount(1)
    await expect(page.getByRole('dialog').getByRole('checkbox', { name: 'Helix Biologics' })).toBeVisible()
  })
})
