import { createClient } from '@benchwatch/client/client'
import { passwordCredentials } from '@benchwatch/client/password-credentials'
import type { FeatureKey } from '@benchwatch/contract/vocabulary'
import type { Page } from '@playwright/test'
import { apiOf } from '../../api.ts'
import { objections } from '../../axe.ts'
import { expect, test } from '../../fixtures.ts'
import type { Product } from '../../product.ts'
import { Registry } from '../../registry.ts'

const toast = (page: Page, text: string | RegExp) => page.getByRole('alert').filter({ hasText: text })

/** Turns flags of the deployment on for as long as the work takes. */
async function withFlags(product: Product, keys: readonly FeatureKey[], work: () => Promise<void>) {
  const set = async (value: 'true' | null) => {
    for (const key of keys) await apiOf(product, 'admin').call('setFeatureFlag', { params: { key }, body: { value } })
  }
  await set('true')
  try {
    await work()
  } finally {
    await set(null)
  }
}

/** Types the name of what was found, and deletes it. */
async function deleteNamed(page: Page, { form: title, thing, name }: { form: string; thing: string; name: string }) {
  const form = page.getByRole('form', { name: title })
  const button = form.getByRole('button', { name: `Delete ${thing} permanently` })
  await expect(button).toBeDisabled()
  const confirmation = form.getByLabel(`Type ${name} to confirm`)
  await confirmation.fill(name)
  await button.click()
  await expect(toast(page, `Deleted: ${name}`)).toBeVisible()
  // The form shrinks, and what lies below it moves.
  await expect(confirmation).toHaveCount(0)
}

test.describe('what the ALLOW_*_DELETE flags let support delete', () => {
  test('a log line, then its instrument with all that is of it; a profile, then its owner', async ({
    pageOf,
    product,
    account,
  }) => {
    const { alarms, instrument } = await (await Registry.of(product)).laboratory()
    const { description } = await alarms.raise(instrument, { words: 'Of an instrument that goes' })
    await alarms.tellLog(instrument, {
      logType: 'VID',
      lines: [{ timestamp: new Date().toISOString(), message: 'A line that goes' }],
    })
    const kinds = (['ASSET', 'LOG', 'PROFILE', 'USER'] as const).map((kind) => `ALLOW_${kind}_DELETE` as const)
    await withFlags(product, kinds, async () => {
      const page = await pageOf('support')
      const watching = await pageOf('service')
      await watching.goto(`/events?keyword=${instrument}&temporaryFilters=true`)
      await expect(watching.getByText(description).first()).toBeVisible()
      await page.goto('/backoffice?tool=delete')

      const line = page.getByRole('form', { name: 'Delete a log line' })
      await line.getByRole('combobox', { name: 'Instrument of the line' }).fill(instrument)
      await page.keyboard.press('Tab')
      const options = line.getByLabel('Line', { exact: true })
      await expect(options.locator('option', { hasText: 'A line that goes' })).toHaveCount(1)
      const id = await options.locator('option', { hasText: 'A line that goes' }).getAttribute('value')
      await options.selectOption(id)
      await deleteNamed(page, { form: 'Delete a log line', thing: 'log line', name: `line ${id}` })
      await expect(options.locator('option', { hasText: 'A line that goes' })).toHaveCount(0)

      const asset = page.getByRole('form', { name: 'Delete an instrument' })
      await asset.getByRole('combobox', { name: 'Instrument' }).fill(instrument)
      await page.keyboard.press('Tab')
      await expect(asset.getByText('ÄKTA pure 25')).toBeVisible()
      expect(await objections(page)).toEqual([])
      await deleteNamed(page, { form: 'Delete an instrument', thing: 'instrument', name: instrument })
      // A colleague's list shows at once what is no more.
      await expect(watching.getByText('deleted', { exact: true })).toBeVisible()
      await watching.goto(`/instruments/${instrument}`)
      await expect(watching.getByText('Instrument could not be found.')).toBeVisible()

      // Profiles are made when their owner first asks for them.
      const url = product.baseUrl
      const owner = createClient({ url, credentials: passwordCredentials(url, account), retries: 0 })
      await owner.call('listProfiles')
      await page.reload()
      const profile = page.getByRole('form', { name: 'Delete a profile' })
      await profile.getByRole('combobox', { name: 'Owner of the profile' }).fill(account.userId)
      await page.getByRole('option', { name: new RegExp(account.userId) }).click()
      await profile.getByLabel('Profile', { exact: true }).selectOption('All Events')
      await deleteNamed(page, { form: 'Delete a profile', thing: 'profile', name: 'All Events' })

      const user = page.getByRole('form', { name: 'Delete a user' })
      // As people type: each key brings the field into sight again, where the form above it has shrunk meanwhile.
      await user.getByRole('combobox', { name: 'User' }).pressSequentially(account.userId)
      await page.getByRole('option', { name: new RegExp(account.userId) }).click()
      await deleteNamed(page, { form: 'Delete a user', thing: 'user', name: account.userId })
      await expect(owner.call('listProfiles')).rejects.toMatchObject({ status: 401 })
    })
  })
})

test('CREATE_EVENTS_WITH_CONTRACT_ONLY: what is held back is listed, and made after all', async ({
  pageOf,
  product,
}) => {
  const { alarms, instrument } = await (await Registry.of(product)).laboratory()
  const page = await pageOf('support')
  await withFlags(product, ['CREATE_EVENTS_WITH_CONTRACT_ONLY'], async () => {
    const { description } = await alarms.raise(instrument, { words: 'Held back for want of a contract' })
    await page.goto(`/events?keyword=${instrument}&temporaryFilters=true`)
    await expect(page.getByText(/No .*events/).first()).toBeVisible()
    await page.goto('/backoffice?tool=held-back')
    const row = page.getByRole('table', { name: 'Held-back events' }).locator('[data-row]', { hasText: instrument })
    await expect(row).toContainText(description)
    await row.getByRole('button', { name: /^Create/ }).click()
    await expect(toast(page, /^ORC-\d+ created/)).toBeVisible()
    await expect(row).toHaveCount(0)
    await page.getByText('Created', { exact: true }).click()
    await row.getByRole('link', { name: /^ORC-\d+$/ }).click()
    await expect(page.getByText(description).first()).toBeVisible()
  })
})
