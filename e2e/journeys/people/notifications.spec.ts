import type { Profile } from '@benchwatch/contract/messages/profiles'
import { notificationCategories } from '@benchwatch/contract/vocabulary'
import type { Page } from '@playwright/test'
import { apiOf } from '../../api.ts'
import { objections } from '../../axe.ts'
import { expect, people, test } from '../../fixtures.ts'
import { instrumentBehind } from '../../fleet.ts'
import { expectNoObjections } from '../../look.ts'
import type { Product } from '../../product.ts'

type AllEvents = Extract<Profile, { profileType: 'new_event_notification' | 'assign_me_notification' }>

async function allEventsOf(product: Product): Promise<AllEvents> {
  const profiles = await apiOf(product, 'service').call('listProfiles')
  const found = profiles.find((profile): profile is AllEvents => profile.profileType === 'new_event_notification')
  if (found === undefined) throw new Error('There is no profile of all events.')
  return found
}

async function save(product: Product, profile: AllEvents): Promise<void> {
  const { id, createdAt: _created, updatedAt: _updated, userId: _user, profileType: _type, ...settings } = profile
  await apiOf(product, 'service').call('updateProfile', { params: { id }, body: settings })
}

/** Has new events of this severity mailed to the field engineer, and nothing else asked of them. */
async function tellService(product: Product, severity: string): Promise<void> {
  const before = await allEventsOf(product)
  const filters = notificationCategories.map(({ key }) => [key, key === 'severity' ? [severity] : []])
  await save(product, { ...before, ...Object.fromEntries(filters), notifyEmail: true, notifySms: false })
}

/** Opens the details of the event with these words, and gives its id. */
async function openEvent(page: Page, words: string): Promise<string> {
  await page.goto(`/events?keyword=${words.slice(-6)}`)
  await page.getByRole('link', { name: /^ORC-\d+$/ }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText(words)
  return new URL(page.url()).pathname.replace('/events/', '')
}

/** As other journeys know it. */
let before: AllEvents

test.beforeEach(async ({ product }) => {
  before = await allEventsOf(product)
})

test.afterEach(async ({ product }) => {
  await save(product, before)
})

test.describe('why did I (not) get this?', () => {
  test('an event that matches the profile sends a notification, which its page, the explanation and the history show; for one that does not match, the explanation names the deciding category', async ({
    pageOf,
    alarms,
    product,
    outbox,
  }) => {
    const instrument = await instrumentBehind(product, alarms.gateway)
    await tellService(product, 'high')
    const told = await alarms.raise(instrument, { words: 'Pump pressure far above its limit' })
    const missed = await alarms.raise(instrument, { words: 'Buffer runs low', severity: 'low' })
    const subject = async () => (await outbox.newestTo(people.service)).subject
    await expect.poll(subject, { intervals: [50] }).toContain('Pump pressure far above its limit')

    const page = await pageOf('service')
    const toldId = await openEvent(page, told.description)
    const card = page.getByRole('region', { name: 'Notifications' })
    await expect(card.getByRole('listitem')).toContainText([`E-mail to ${people.service}Sent · All Events`])
    await card.getByRole('link', { name: 'Why did I (not) get this?' }).click()
    const all = page.getByRole('region', { name: 'All Events' })
    await expect(all.getByText('You were notified.')).toBeVisible()
    await expect(all.getByRole('listitem')).toContainText([`E-mail to ${people.service}`])
    await expect(all.getByText(/^Decided by/)).toHaveCount(0)
    const mine = page.getByRole('region', { name: 'Assigned to me' })
    await expect(mine.getByText('You were not notified.')).toBeVisible()
    await expect(mine.getByText(/^Decided by/)).toHaveText('Decided by Assignment')
    await expectNoObjections(page)

    const missedId = await openEvent(page, missed.description)
    await expect(card.getByText('You were not notified about this event.')).toBeVisible()
    await card.getByRole('link', { name: 'Why did I (not) get this?' }).click()
    await expect(all.getByText('You were not notified.')).toBeVisible()
    await expect(all.getByText(/^Decided by/)).toHaveText('Decided by Severity')
    await expect(all.getByRole('row', { name: /^Severity/ })).toHaveText(/Decided\s*High\s*Low/)
    expect(await objections(page)).toEqual([])

    // The profile as it is now: what was sent stays sent, and the page tells both.
    await tellService(product, 'medium')
    await page.goto(`/events/${toldId}/why`)
    await expect(all.getByText('You were notified.')).toBeVisible()
    await expect(all.getByText(/The profile has changed since/)).toBeVisible()
    await expect(all.getByRole('row', { name: /^Severity/ })).toHaveText(/Decided\s*Medium\s*High/)

    await page.getByRole('link', { name: 'notification history' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Notification history')
    const row = page.getByRole('row', { name: new RegExp(`ORC-${toldId}`) })
    await expect(row).toContainText(/HIGH.*All Events.*Sent/)
    await expect(page.getByText(`ORC-${missedId}`)).toHaveCount(0)
    expect(await objections(page)).toEqual([])
    await row.getByRole('link', { name: `Why was ORC-${toldId} sent?` }).click()
    await expect(page).toHaveURL(new RegExp(`/events/${toldId}/why$`))
  })

  test('support looks for another user; nobody else may, and nobody past their data scope', async ({
    pageOf,
    alarms,
    product,
  }) => {
    await tellService(product, 'high')
    const raised = await alarms.raise(await instrumentBehind(product, alarms.gateway), { words: 'Column valve stuck' })
    const { id: serviceId, name } = await apiOf(product, 'service').call('getMe')

    const support = await pageOf('support')
    const eventId = await openEvent(support, raised.description)
    await expect(support.getByRole('region', { name: 'Notifications' })).toContainText(name)
    await support.getByRole('link', { name: 'Why did I (not) get this?' }).click()
    await support.getByRole('combobox', { name: 'Person' }).fill(people.service)
    await support.getByRole('option', { name }).click()
    await expect(support).toHaveURL(new RegExp(`/events/${eventId}/why\\?user=${serviceId}$`))
    await expect(support.getByRole('heading', { level: 1 })).toHaveText(`Why did ${name} (not) get this?`)
    await expect(support.getByRole('region', { name: 'All Events' }).getByText(`${name} was notified.`)).toBeVisible()
    await support.getByRole('link', { name: `Notification history of ${name}` }).click()
    await expect(support.getByRole('row', { name: new RegExp(`ORC-${eventId}`) })).toContainText(people.service)
    expect(await objections(support)).toEqual([])

    const customer = await pageOf('customer')
    await customer.goto(`/events/${eventId}/why?user=${serviceId}`)
    await expect(customer.getByText('You can see only your own')).toBeVisible()
    const own = apiOf(product, 'customer')
    const query = { userId: serviceId }
    await expect(own.call('listNotifications', { query })).rejects.toMatchObject({ status: 403 })
    const { id } = await apiOf(product, 'support').call('getServiceEventByEventId', { params: { eventId } })
    await expect(own.call('explainNotification', { params: { id }, query })).rejects.toMatchObject({ status: 403 })

    await support.goto(`/events?filters=${encodeURIComponent('enterpriseName=Novara Therapeutics')}`)
    const foreign = await support
      .locator('tbody tr[data-row]')
      .first()
      .getByRole('link', { name: /^ORC-/ })
      .textContent()
    await customer.goto(`/events/${foreign}/why`)
    await expect(customer.getByText('Event could not be found.')).toBeVisible()
    await expect(customer.getByRole('region', { name: 'All Events' })).toHaveCount(0)
  })
})
