import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { test as base, expect, type Page } from '@playwright/test'
import { type Account, signInOn } from '../fixtures.ts'

const repository = fileURLToPath(new URL('../..', import.meta.url))
/** Seconds after which the freezer, the first of the instruments, returns to normal. */
const EVERY = '12'

interface Laboratory extends Account {
  url: string
}

/** Runs `npm run lab -- laboratory`: a product without demo data, a gateway and four instruments. */
const test = base.extend<{ laboratory: Laboratory }>({
  laboratory: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright asks for a destructured first argument.
    async ({}, use) => {
      const command = spawn(process.execPath, ['lab/lab.ts', 'laboratory', '--port', '0', '--every', EVERY], {
        cwd: repository,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      // The worker ends at a timeout, and the laboratory with it.
      const kill = () => command.kill('SIGINT')
      process.once('exit', kill)
      const ended = new Promise((resolve) => command.once('close', resolve))
      let said = ''
      const ready = new Promise<Laboratory | null>((resolve) => {
        const listen = (chunk: Buffer) => {
          said += chunk.toString()
          const [, url, userId, password] =
            /laboratory is ready: (\S+)\s+Sign in as (\S+) with the password (\S+)/.exec(said) ?? []
          if (url && userId && password) resolve({ url, userId, password })
        }
        command.stdout.on('data', listen)
        command.stderr.on('data', listen)
        void ended.then(() => resolve(null))
      })
      const laboratory = await ready
      test.skip(laboratory === null && said.includes('apt-get install'), said.trim())
      if (laboratory === null) throw new Error(said)
      await use(laboratory)
      kill()
      await ended
      process.off('exit', kill)
    },
    { timeout: 120_000 },
  ],
})

const row = (page: Page, text: string) => page.locator('tbody tr[data-row]').filter({ hasText: text })

test('in the laboratory a freezer, a bioreactor, a skid and a chiller report; a person takes an event and closes it, and one clears by itself', async ({
  laboratory,
  page,
}) => {
  await page.goto(laboratory.url)
  await signInOn(page, laboratory)
  for (const id of ['IP-FREEZER', 'IP-BIOREACTOR', 'IP-SKID', 'IP-CHILLER']) await expect(row(page, id)).toBeVisible()
  await expect(page.locator('tbody tr[data-row]')).toHaveCount(4)

  const chiller = row(page, 'IP-CHILLER')
  await chiller.getByRole('checkbox').focus()
  await page.keyboard.press('a')
  await expect(page.getByText('Ada Admin set as owner on event')).toBeVisible()
  await expect(chiller.getByRole('img', { name: 'In progress' })).toBeVisible()
  await page.keyboard.press('c')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').selectOption('Customer resolved on own')
  await dialog.getByRole('button', { name: 'Close event' }).press('Enter')
  await expect(chiller.getByRole('img', { name: 'Closed' })).toBeVisible()

  await row(page, 'IP-FREEZER')
    .getByRole('button', { name: /^Expand/ })
    .click()
  await expect(page.getByText('Returned to normal')).toBeVisible()
})
