import { randomUUID } from 'node:crypto'
import { type ApiError, createClient } from '@benchwatch/client/client'
import type { Page } from '@playwright/test'
import { apiOf } from '../../api.ts'
import { expect, test } from '../../fixtures.ts'

const toast = (page: Page, text: string | RegExp) => page.getByRole('alert').filter({ hasText: text })
const confirmBy = (page: Page, label: string) =>
  page.getByRole('dialog').getByRole('button', { name: label, exact: true }).click()
const unique = (word: string) => `${word}-${randomUUID().slice(0, 8)}`

/** Calls with a token that the console has shown; gives the status, whichever it is. */
async function statusOf(call: Promise<unknown>): Promise<number> {
  return call.then(
    () => 200,
    (error: ApiError) => error.status,
  )
}

/** Takes the secret out of its dialog, which lets nobody go before they say that they have it. */
async function takeSecret(page: Page, title: RegExp): Promise<string> {
  const dialog = page.getByRole('dialog', { name: title })
  const secret = (await dialog.locator('code').textContent()) ?? ''
  await page.keyboard.press('Escape')
  await expect(dialog.getByRole('button', { name: 'Done' })).toBeDisabled()
  await dialog.getByLabel(/I have saved it/).check()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(dialog).toHaveCount(0)
  return secret
}

test.describe('administration', () => {
  test('is for administrators: others find no way to it and may not open it', async ({ pageOf }) => {
    const support = await pageOf('support')
    await support.goto('/administration/users')
    await expect(support.getByRole('heading', { name: 'You can’t open this page' })).toBeVisible()
    await support.getByRole('button', { name: /user menu/ }).click()
    await expect(support.getByRole('menuitem', { name: 'Settings' })).toBeVisible()
    await expect(support.getByRole('menuitem', { name: 'Administration' })).toHaveCount(0)

    const admin = await pageOf('admin')
    await admin.goto('/events')
    await admin.getByRole('button', { name: /user menu/ }).click()
    await admin.getByRole('menuitem', { name: 'Administration' }).click()
    await expect(admin).toHaveURL(/\/administration\/users$/)
    await expect(admin.getByRole('heading', { name: 'Users' })).toBeVisible()
  })

  test('invites a user, who sees only their customer, and signs them out at once when they are disabled', async ({
    pageOf,
    outbox,
    browser,
    product,
  }) => {
    const userId = `${unique('ines')}@helixbio.example`
    const admin = await pageOf('admin')
    await admin.goto('/administration/users')
    await admin.getByRole('link', { name: 'Invite user' }).click()
    await admin.getByLabel('E-mail address').fill(userId)
    await admin.getByLabel('Name').fill('Ines Customer')
    await admin.getByRole('button', { name: 'Send invitation' }).click()
    await expect(admin.getByText('Choose at least one customer.')).toBeVisible()
    await admin.getByRole('combobox', { name: 'Add a customer' }).fill('helix')
    await expect(admin.getByRole('listbox').getByRole('option')).toHaveText([/Helix Biologics/])
    await admin.getByRole('combobox', { name: 'Add a customer' }).press('Enter')
    await admin.getByRole('button', { name: 'Send invitation' }).click()
    await expect(toast(admin, `${userId} invited`)).toBeVisible()
    await expect(admin.getByRole('heading', { name: 'Ines Customer' })).toBeVisible()
    await expect(admin.getByText('Invited', { exact: true })).toBeVisible()

    const { text } = await outbox.newestTo(userId)
    const temporary = /^Temporary password: (\S+)$/m.exec(text ?? '')?.[1] ?? ''
    const context = await browser.newContext({ baseURL: product.baseUrl })
    const first = await context.request.post('/api/auth/sign-in', { data: { userId, password: temporary } })
    const step = (await first.json()) as { challenge: string; challengeToken: string }
    expect(step.challenge).toBe('NEW_PASSWORD_REQUIRED')
    const second = await context.request.post('/api/auth/new-password', {
      data: { challengeToken: step.challengeToken, newPassword: 'Own-Password-2026!' },
    })
    expect(second.status(), await second.text()).toBe(200)
    const ines = await context.newPage()
    await ines.goto('/events?pageSize=100')
    const rows = ines.locator('tbody tr[data-row]')
    await expect(rows.first()).toBeVisible()
    await expect(rows.filter({ hasNotText: 'Helix Biologics' })).toHaveCount(0)
    await expect(ines.getByText(/^Live/).first()).toBeVisible()

    await admin.getByRole('button', { name: 'Disable' }).click()
    await confirmBy(admin, 'Disable')
    await expect(toast(admin, 'Ines Customer disabled')).toBeVisible()
    await expect(ines).toHaveURL(/\/login/)
    await expect(admin.getByText('Disabled', { exact: true })).toBeVisible()
    await context.close()
  })

  test('switches a flag on, and the other’s session has it at once; what sends or deletes is asked first', async ({
    pageOf,
  }) => {
    const other = await pageOf('service')
    await other.goto('/events')
    await expect(other.getByText(/^Live/).first()).toBeVisible()
    const readAgain = other.waitForResponse(
      async (response) =>
        response.url().endsWith('/api/users/me/features') &&
        ((await response.json()) as { key: string; value: string }[]).some(
          ({ key, value }) => key === 'ALLOW_EVENT_DELETE' && value === 'true',
        ),
    )
    const admin = await pageOf('admin')
    await admin.goto('/administration/features')
    const flag = admin.getByRole('switch', { name: 'Delete events' })
    await expect(flag).not.toBeChecked()
    await flag.click()
    await confirmBy(admin, 'Cancel')
    await expect(flag).not.toBeChecked()
    await flag.click()
    await expect(admin.getByRole('dialog')).toContainText('Deleted events can’t be restored.')
    await confirmBy(admin, 'Turn on')
    await expect(flag).toBeChecked()
    await readAgain
    // Off again asks nothing.
    await flag.click()
    await expect(flag).not.toBeChecked()

    await admin.goto('/administration/users?keyword=service%40')
    await admin.getByRole('link', { name: 'Marcus Weber' }).click()
    const own = admin.getByLabel('Delete events')
    await own.selectOption('On')
    await confirmBy(admin, 'Turn on')
    await expect(toast(admin, '“Delete events” is on')).toBeVisible()
    await own.selectOption('')
    await expect(toast(admin, '“Delete events” follows the deployment')).toBeVisible()
  })

  test('creates a key for a gateway: it works for ingest, and its first use revokes the old one', async ({
    pageOf,
    product,
  }) => {
    const old = (await product.demoGateways()).at(-1)
    if (!old) throw new Error('The product has no demo gateway.')
    const admin = await pageOf('admin')
    await admin.goto(`/administration/gateways?keyword=${old.gateway}`)
    await admin.getByRole('link', { name: old.gateway }).click()
    await admin.getByRole('button', { name: 'New key' }).click()
    const key = await takeSecret(admin, /^New key of/)
    const send = (bearer: string, sequence: number) =>
      createClient({ url: product.baseUrl, token: bearer, retries: 0 }).call('ingestBatch', {
        params: { gateway: old.gateway },
        body: [
          {
            specversion: '1.0',
            id: `${randomUUID()}-${sequence}`,
            source: `/gateways/${old.gateway}`,
            type: 'benchwatch.heartbeat',
            subject: old.gateway,
            time: new Date().toISOString(),
            sequence,
            data: {},
          },
        ],
        mediaType: 'application/cloudevents-batch+json',
      })
    expect(await send(key, 1)).toMatchObject({ accepted: 1, rejected: [] })
    await expect.poll(() => statusOf(send(old.key, 2))).toBe(401)

    await admin.reload()
    await expect(admin.getByText('Active', { exact: true })).toHaveCount(1)
    await expect(admin.getByText(/^Revoked/)).toHaveCount(1)
    await admin.getByRole('button', { name: /^Revoke the key/ }).click()
    await confirmBy(admin, 'Revoke')
    await expect(toast(admin, `Key of ${old.gateway} revoked`)).toBeVisible()
    await expect.poll(() => statusOf(send(key, 3))).toBe(401)
  })

  test('creates a token with which another system registers a customer, until it is revoked', async ({
    pageOf,
    product,
  }) => {
    const name = unique('Asset register')
    const admin = await pageOf('admin')
    await admin.goto('/administration/tokens')
    await admin.getByRole('button', { name: 'New token' }).click()
    const dialog = admin.getByRole('dialog', { name: 'New API token' })
    await dialog.getByLabel('Name').fill(name)
    await dialog.getByLabel('Expires').selectOption('in 30 days')
    await dialog.getByRole('button', { name: 'Create token' }).click()
    const token = await takeSecret(admin, /^Token/)
    const customer = unique('token-customer')
    const asset = createClient({ url: product.baseUrl, token, retries: 0 })
    const register = () => asset.call('putCustomer', { params: { key: customer }, body: { name: 'By Token' } })
    await register()
    const row = admin.getByRole('row').filter({ hasText: name })
    await admin.reload()
    await expect(row).not.toContainText('Never')
    await row.getByRole('button', { name: `Revoke ${name}` }).click()
    await confirmBy(admin, 'Revoke')
    await expect(row).toContainText('Revoked')
    await expect(register()).rejects.toMatchObject({ status: 401 })

    await admin.goto(`/administration/registry/customers?keyword=${customer}`)
    await admin.getByRole('link', { name: customer }).click()
    await expect(admin.getByLabel('Name')).toHaveValue('By Token')
  })

  test('a file with an error in line 3 shows it and writes nothing; corrected it is imported', async ({ pageOf }) => {
    const [one, two] = [unique('import'), unique('import')]
    const file = (content: string) => ({ name: 'customers.csv', mimeType: 'text/csv', buffer: Buffer.from(content) })
    const admin = await pageOf('admin')
    await admin.goto('/administration/registry/sites')
    await admin.getByRole('link', { name: 'Import' }).click()
    await expect(admin.getByLabel('Content of the file')).toHaveValue('sites')

    // Its name tells what it holds.
    await admin.getByLabel(/^Drop a file/).setInputFiles(file(`key,name\r\n${one},One\r\n${two},\r\n`))
    await expect(admin.getByLabel('Content of the file')).toHaveValue('customers')
    const errors = admin.getByRole('region', { name: 'Errors in the file' })
    await expect(errors).toContainText('One error: nothing was written')
    await expect(errors.getByRole('listitem')).toContainText(['Line 3'])
    await expect(errors.getByRole('listitem')).toContainText([`${two},`])
    await expect(admin.getByRole('button', { name: /^Import \d/ })).toHaveCount(0)

    await admin.getByRole('button', { name: 'Choose another file' }).click()
    await admin.getByLabel(/^Drop a file/).setInputFiles(file(`key,name\r\n${one},One\r\n${two},Two\r\n`))
    await expect(admin.getByText('2 will be created')).toBeVisible()
    const list = await admin.context().newPage()
    await list.goto(`/administration/registry/customers?keyword=${one}`)
    await expect(list.getByText('No customers found')).toBeVisible()
    await admin.getByRole('button', { name: 'Import 2 customers' }).click()
    await expect(admin.getByText('2 created', { exact: true })).toBeVisible()
    await list.reload()
    await expect(list.getByRole('link', { name: one })).toBeVisible()
  })

  test('what is typed is not lost by a slip, and nobody’s change is overwritten unseen', async ({
    pageOf,
    product,
  }) => {
    const key = unique('site')
    const put = (site: Record<string, string>) =>
      apiOf(product, 'admin').call('putSite', {
        params: { key },
        body: { customer: 'helix-biologics', timeZone: 'Europe/Stockholm', ...site },
      })
    await put({ name: 'First', city: 'Umeå' })
    const admin = await pageOf('admin')
    await admin.goto(`/administration/registry/sites?keyword=${key}`)
    await admin.getByRole('link', { name: key }).click()
    await admin.getByLabel('Name').fill('Mine')

    await admin.getByRole('link', { name: 'Users' }).click()
    await confirmBy(admin, 'Stay')
    await expect(admin.getByLabel('Name')).toHaveValue('Mine')

    // Another field, changed by somebody else in between, is kept.
    await put({ name: 'First', city: 'Luleå' })
    await admin.getByRole('button', { name: 'Save' }).click()
    await expect(toast(admin, `${key} saved`)).toBeVisible()
    await expect(admin.getByLabel('City')).toHaveValue('Luleå')

    // The same field is shown before it is replaced.
    await admin.getByLabel('Name').fill('Mine again')
    await put({ name: 'Theirs', city: 'Luleå' })
    await admin.getByRole('button', { name: 'Save' }).click()
    await expect(admin.getByText(/Changed by another user while you were editing: Name/)).toBeVisible()
    const saved = admin.waitForResponse((answer) => answer.request().method() === 'PUT')
    await admin.getByRole('button', { name: 'Save' }).click()
    expect((await saved).status()).toBe(200)
    await expect(admin.getByText(/Changed by another user/)).toHaveCount(0)
    await admin.reload()
    await expect(admin.getByLabel('Name')).toHaveValue('Mine again')
    // Back to the list as it was left.
    await admin.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Sites' }).click()
    await expect(admin.getByRole('searchbox', { name: 'Search sites' })).toHaveValue(key)
  })
})
