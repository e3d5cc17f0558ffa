import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { delimiter, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { test as base, expect } from '@playwright/test'
import { type Product, startProduct } from '../product.ts'

const repository = fileURLToPath(new URL('../..', import.meta.url))
const password = 'Correct-Horse-2026!'

/** An empty installation of its own: no demo data, no users. */
const test = base.extend<{ product: Product }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright asks for a destructured first argument.
  product: async ({}, use) => {
    const product = await startProduct({ environment: { DEMO: 'off' } })
    await use(product)
    await product.stop()
  },
})

/** Runs every `sh` block of a document in order in one shell, as a reader would type them. */
async function runDocument(name: string, environment: Record<string, string>): Promise<string> {
  const text = await readFile(`${repository}docs/${name}`, 'utf8')
  const script = [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block]) => block).join('\n')
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: repository,
    // The product runs on the pinned Node; npm scripts of the document find it first, as they do below npm.
    env: { ...process.env, ...environment, PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) },
  })
  return stdout
}

test('from an empty installation, by the commands of docs/ingest.md, to a closed event and a record that verifies', async ({
  product,
  browser,
}) => {
  const printed = await runDocument('ingest.md', { BASE: product.baseUrl, DATA_DIR: product.dataDir })
  expect(printed).toContain('"accepted":2,"duplicates":0,"rejected":[],"ackSequence":2')
  expect(printed).toContain('"accepted":3,"duplicates":0,"rejected":[],"ackSequence":5')
  const made = await product.command('admin-create', 'bea@benchwatch.example', '--name', 'Bea Boss')
  expect(made.code, made.output).toBe(0)
  const beasPassword =
    /^\s*(\S{12,})\s*$/m.exec(made.output)?.[1] ?? /[Pp]assword\S* (\S+)/.exec(made.output)?.[1] ?? ''

  const screenOf = async (userId: string, secret: string) => {
    const context = await browser.newContext({ baseURL: product.baseUrl })
    const answer = await context.request.post('/api/auth/sign-in', { data: { userId, password: secret } })
    expect(answer.status(), `${userId}: ${await answer.text()}`).toBe(200)
    const page = await context.newPage()
    await page.goto('/events')
    return page
  }
  const ada = await screenOf('ada@benchwatch.example', password)
  const bea = await screenOf('bea@benchwatch.example', beasPassword)
  const row = bea.locator('tbody tr[data-row]').filter({ hasText: 'Pressure above limit, pump B (P9-B)' })
  await row.getByRole('button', { name: /^Expand/ }).click()
  await expect(bea.getByText('Returned to normal')).toBeVisible()
  await expect(bea.getByText(/^Live/).first()).toBeVisible()

  await ada.getByRole('link', { name: /^ORC-/ }).click()
  await expect(ada.getByText('Check for kinked tubing after the injection valve.')).toBeVisible()
  await ada.getByRole('button', { name: /Owner: None/ }).click()
  await ada.getByRole('option', { name: 'Assign to me' }).click()
  await expect(ada.getByText('Ada Admin set as owner on event')).toBeVisible()
  await expect(row).toContainText('Ada Admin')
  await expect(row.getByRole('img', { name: 'In progress' })).toBeVisible()

  await ada.getByRole('button', { name: 'Close event…' }).click()
  await ada.getByLabel('Reason').selectOption('Customer resolved on own')
  await ada.getByRole('dialog').getByRole('button', { name: 'Close event' }).click()
  await expect(ada.getByText('Status: Closed - Customer resolved on own.')).toBeVisible()
  await expect(row.getByRole('img', { name: 'Closed' })).toBeVisible()

  // Without demo data, no user may read the messages that were sent to others.
  await ada.goto('/dev/outbox')
  await expect(ada.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  expect((await ada.request.get('/api/dev/outbox')).status()).toBe(404)

  const verified = await product.command('audit-verify')
  expect(verified.output).toMatch(/The audit log is intact: \d+ rows/)
  expect(verified.code).toBe(0)
})
