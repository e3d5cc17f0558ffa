import type { Page } from '@playwright/test'
import { expect, test } from '../../fixtures.ts'
import { expectGoodLook } from '../../look.ts'

const firstRow = (page: Page) => page.locator('[data-row]').first()

/** Each screen with what must be there before it is looked at. */
const screens: {
  name: string
  address: string
  open?: (page: Page) => Promise<void>
  shown: (page: Page) => ReturnType<Page['locator']>
}[] = [
  { name: 'users', address: '/administration/users', shown: firstRow },
  {
    name: 'user',
    address: '/administration/users?keyword=customer%40',
    open: (page) => page.getByRole('link', { name: 'Elin Sandberg' }).click(),
    shown: (page) => page.getByText('Helix Biologics'),
  },
  { name: 'invite', address: '/administration/users/new', shown: (page) => page.getByLabel('E-mail address') },
  { name: 'flags', address: '/administration/features', shown: firstRow },
  {
    name: 'gateway',
    address: '/administration/gateways',
    open: (page) => firstRow(page).getByRole('link').click(),
    shown: (page) => page.getByRole('button', { name: 'New key' }),
  },
  {
    name: 'new-token',
    address: '/administration/tokens',
    open: (page) => page.getByRole('button', { name: 'New token' }).click(),
    shown: (page) => page.getByRole('dialog', { name: 'New API token' }),
  },
  { name: 'instruments', address: '/administration/registry/instruments', shown: firstRow },
  {
    name: 'template',
    address: '/administration/registry/event-templates',
    open: (page) => firstRow(page).getByRole('link').click(),
    shown: (page) => page.getByLabel('Description'),
  },
  {
    name: 'new-site',
    address: '/administration/registry/sites/new',
    open: async (page) => {
      await page.getByRole('combobox', { name: 'Time zone' }).fill('stock')
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Register' }).click()
      await page.getByRole('combobox', { name: 'Customer' }).click()
    },
    shown: (page) => page.getByRole('listbox').getByRole('option').first(),
  },
  {
    name: 'user-without-name',
    address: '/administration/users?keyword=visiting.engineer',
    open: (page) => firstRow(page).getByRole('link').click(),
    shown: (page) => page.getByRole('heading', { name: 'visiting.engineer@benchwatch.example' }),
  },
  { name: 'support-emails', address: '/administration/support-emails', shown: firstRow },
  {
    name: 'support-email',
    address: '/administration/support-emails?instrumentType=AKTAPure',
    open: (page) => firstRow(page).getByRole('link').click(),
    shown: (page) => page.getByRole('region', { name: 'Preview' }).locator('iframe'),
  },
  {
    name: 'new-support-email',
    address: '/administration/support-emails/new',
    open: async (page) => {
      await page.getByLabel('Subject').fill('Dear {nobody}')
      await page.getByRole('button', { name: 'Create' }).click()
    },
    shown: (page) => page.getByText('Enter the component.'),
  },
  {
    name: 'connection-events',
    address: '/administration/connection-events',
    shown: (page) => page.getByRole('region', { name: 'Preview: silent instrument' }),
  },
  {
    name: 'import',
    address: '/administration/registry/import?kind=customers',
    open: (page) =>
      page.getByLabel(/^Drop a file/).setInputFiles({
        name: 'customers.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from('key,name\r\nlook-at-me,\r\n'),
      }),
    shown: (page) => page.getByRole('region', { name: 'Errors in the file' }),
  },
]

test('administration looks well at each width, in both themes', async ({ pageOf }) => {
  const page = await pageOf('admin')
  for (const { name, address, open, shown } of screens) {
    await test.step(name, async () => {
      await page.goto(address)
      await open?.(page)
      await expect(shown(page)).toBeVisible()
      await expectGoodLook(page, `administration-${name}`)
    })
  }
})
