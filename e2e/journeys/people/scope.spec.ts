import { apiOf } from '../../api.ts'
import { expect, signInOn, test } from '../../fixtures.ts'

test.describe('who sees what', () => {
  test('a customer sees its own events alone, and another’s as if it did not exist', async ({ pageOf }) => {
    const support = await pageOf('support')
    // By name: other journeys fill the first pages with events of Helix Biologics.
    await support.goto(`/events?filters=${encodeURIComponent('enterpriseName=Novara Therapeutics')}`)
    const foreign = support.locator('tbody tr[data-row]').first()
    await expect(foreign).toContainText('Novara Therapeutics')
    const foreignId = (await foreign.getByRole('link').textContent())?.replace('ORC-', '')

    const customer = await pageOf('customer')
    await customer.goto('/events?pageSize=100')
    const rows = customer.locator('tbody tr[data-row]')
    await expect(rows.first()).toBeVisible()
    await expect(rows.filter({ hasNotText: 'Helix Biologics' })).toHaveCount(0)
    await expect(customer.getByTestId('totals')).toContainText('1 customer')
    await customer.goto(`/events/${foreignId}`)
    await expect(customer.getByText('Event could not be found.')).toBeVisible()
    for (const none of ['999999999', 'no-event']) {
      await customer.goto(`/events/${none}`)
      await expect(customer.getByText('Event could not be found.')).toBeVisible()
    }
  })
  test('a customer that is taken away leaves the open list at once, and the pages of the history', async ({
    page,
    account,
    product,
  }) => {
    const admin = apiOf(product, 'admin')
    await page.goto(`/events?filters=${encodeURIComponent('enterpriseName=Novara Therapeutics')}`)
    await signInOn(page, account)
    const rows = page.locator('tbody tr[data-row]')
    await rows.first().getByRole('link').click()
    await expect(page.getByRole('main')).toContainText('Novara Therapeutics')
    await page.goBack()
    await expect(rows.first()).toContainText('Novara Therapeutics')
    await expect(page.getByText('Live', { exact: true })).toBeVisible()

    const [found] = (await admin.call('listAccounts', { query: { keyword: account.userId } })).values
    const { role, msisdn, smsMfa, name } = found as NonNullable<typeof found>
    await admin.call('updateAccount', {
      params: { id: found?.id ?? '' },
      body: { name: name ?? '', role, msisdn, smsMfa, disabled: false, customers: ['helix-biologics'] },
    })
    await expect(rows).toHaveCount(0)
    await page.goForward()
    await expect(page.getByText('Event could not be found.')).toBeVisible()
  })
})
