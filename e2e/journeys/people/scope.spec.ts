import { expect, test } from '../../fixtures.ts'

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
})
