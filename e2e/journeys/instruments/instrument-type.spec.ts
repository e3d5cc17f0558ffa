import { randomUUID } from 'node:crypto'
import { expect, test } from '../../fixtures.ts'
import { Registry } from '../../registry.ts'

test('an administrator adds a family and a type, and a user finds an instrument of it and its event', async ({
  pageOf,
  product,
}) => {
  const id = randomUUID().slice(0, 8)
  const [family, familyLabel] = [`Freezers ${id}`, `Deep freezers ${id}`]
  const [type, typeLabel] = [`ULT-${id}`, `ULT freezer ${id}`]
  const admin = await pageOf('admin')
  await admin.goto('/administration/registry/instrument-families/new')
  await admin.getByLabel('Family key').fill(family)
  await admin.getByLabel('Label').fill(familyLabel)
  await admin.getByLabel('Position').fill('1200')
  await admin.getByRole('button', { name: 'Register' }).click()
  await expect(admin).toHaveURL(/\/instrument-families\/key\//)

  await admin.goto('/administration/registry/instrument-types/new')
  await admin.getByLabel('Type key').fill(type)
  await admin.getByLabel('Label').fill(typeLabel)
  await admin.getByRole('combobox', { name: 'Family' }).fill(id)
  await admin.getByRole('option', { name: family }).click()
  await admin.getByRole('button', { name: 'Register' }).click()
  await expect(admin).toHaveURL(/\/instrument-types\/key\//)

  const registry = await Registry.of(product)
  const { alarms, instrument } = await registry.laboratory({ instrument: { type, productDescription: 'ULT freezer' } })
  const { description } = await alarms.raise(instrument, { words: 'Chamber too warm' })

  const user = await pageOf('support')
  await user.goto('/instruments')
  await user.getByRole('tab', { name: familyLabel }).click()
  await expect(user.getByRole('row').filter({ hasText: instrument })).toBeVisible()
  await expect(user.locator('tbody tr[data-row]')).toHaveCount(1)

  await user.goto('/events')
  await user.getByRole('button', { name: /^Filter( \d+ chosen)?$/ }).click()
  const panel = user.getByRole('dialog', { name: 'Filter' })
  await panel.getByRole('tab', { name: 'Instrument type' }).click()
  await panel.getByRole('checkbox', { name: typeLabel }).check()
  await panel.getByRole('button', { name: 'Done' }).click()
  await expect(user.getByRole('list', { name: 'Applied filters' })).toContainText(`Instrument type ${typeLabel}`)
  await expect(user.getByRole('row').filter({ hasText: description })).toBeVisible()

  await admin.getByRole('button', { name: 'Delete' }).click()
  await admin.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(admin.getByRole('alert').filter({ hasText: 'belongs to 1 instrument' })).toBeVisible()
})
