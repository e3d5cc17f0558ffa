import type { Locator, Page } from '@playwright/test'
import type { people } from '../people.ts'

/** One picture of the help. */
export interface Picture {
  /** Its file in docs/help/pictures, without the ending. */
  name: string
  who?: keyof typeof people
  width?: number
  height?: number
  /** Brings up what is to be seen; returns the part to draw, or nothing for all that the window shows. */
  show(page: Page): Promise<Locator | undefined>
}

const WAIT = { timeout: 30_000 }

async function events(page: Page): Promise<void> {
  await page.goto('/events')
  await page
    .getByRole('link', { name: /^ORC-\d+/ })
    .first()
    .waitFor(WAIT)
}

async function firstEvent(page: Page): Promise<void> {
  await events(page)
  await page
    .getByRole('link', { name: /^ORC-\d+/ })
    .first()
    .click()
  await page.getByRole('heading', { name: 'History' }).waitFor(WAIT)
}

async function firstInstrument(page: Page): Promise<void> {
  await page.goto('/instruments?keyword=pure')
  await page.locator('tbody a[href^="/instruments/"]').first().click()
  await page.getByRole('heading', { name: 'Time line' }).waitFor(WAIT)
  await page.waitForLoadState('networkidle')
}

export const pictures: readonly Picture[] = [
  {
    name: 'events',
    async show(page) {
      await events(page)
      return undefined
    },
  },
  {
    name: 'events-phone',
    width: 390,
    height: 844,
    async show(page) {
      await page.goto('/events')
      await page
        .getByText(/ORC-\d+/)
        .first()
        .waitFor(WAIT)
      return undefined
    },
  },
  {
    name: 'event-details',
    async show(page) {
      await firstEvent(page)
      await page.waitForLoadState('networkidle')
      return undefined
    },
  },
  {
    name: 'close-event',
    height: 700,
    async show(page) {
      await page.goto('/events?alertStatus=1_NEW')
      await page
        .getByRole('link', { name: /^ORC-\d+/ })
        .first()
        .click()
      await page.getByRole('button', { name: 'Owner: None' }).waitFor(WAIT)
      await page.keyboard.press('a')
      await page.getByRole('button', { name: 'Owner: Me' }).waitFor(WAIT)
      await page.getByRole('button', { name: 'Close event…' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Reason').selectOption('Service Case Created')
      await dialog.getByLabel('Service case number').fill('10482211')
      return dialog
    },
  },
  {
    name: 'map',
    async show(page) {
      await page.goto('/events?view=map')
      await page.waitForLoadState('networkidle')
      return undefined
    },
  },
  {
    name: 'logs',
    async show(page) {
      await firstEvent(page)
      await page.getByRole('button', { name: 'View Logs' }).click()
      await page.getByRole('checkbox', { name: /VID Service/ }).check()
      await page.getByRole('button', { name: 'View', exact: true }).click()
      await page.getByRole('button', { name: 'Load +5 older logs' }).waitFor(WAIT)
      return page.getByRole('dialog')
    },
  },
  {
    name: 'instruments',
    async show(page) {
      await page.goto('/instruments')
      await page.locator('tbody tr').first().waitFor(WAIT)
      await page.waitForLoadState('networkidle')
      return undefined
    },
  },
  {
    name: 'instrument-details',
    async show(page) {
      await firstInstrument(page)
      return undefined
    },
  },
  {
    name: 'usage',
    async show(page) {
      await firstInstrument(page)
      const card = page.locator('section', { has: page.getByRole('heading', { name: 'Component usage' }) }).last()
      await card.scrollIntoViewIfNeeded()
      await page.waitForLoadState('networkidle')
      return card
    },
  },
  {
    name: 'maintenance',
    height: 760,
    async show(page) {
      await firstInstrument(page)
      await page.getByRole('button', { name: /^ORC status: / }).click()
      await page.getByRole('menuitem', { name: 'Maintenance…' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.waitFor(WAIT)
      await dialog.getByRole('switch', { name: 'Maintenance mode' }).click()
      return dialog
    },
  },
  {
    name: 'notification-settings',
    async show(page) {
      await page.goto('/settings')
      await page.getByRole('heading', { name: 'Where messages go' }).waitFor(WAIT)
      return undefined
    },
  },
  {
    name: 'connect-instrument',
    who: 'admin',
    height: 820,
    async show(page) {
      await page.goto('/administration/gateways')
      const gateway = await page.locator('[data-row]').first().getByRole('link').innerText()
      await page.goto(`/administration/gateways/${gateway}/connect`)
      await page.getByLabel('Protocol').selectOption('MQTT')
      // The list also shows instruments behind other gateways, which would be warned of.
      await page.getByRole('combobox', { name: 'Instrument' }).fill(gateway)
      await page.getByRole('listbox').getByRole('option').first().click(WAIT)
      await page.getByRole('region', { name: 'sources.yaml' }).waitFor(WAIT)
      return undefined
    },
  },
  {
    name: 'kpi',
    height: 1200,
    async show(page) {
      await page.goto('/kpi')
      const frame = page.frameLocator('iframe[title="Service overview"]')
      await frame.getByRole('region', { name: 'Reasons closed' }).getByRole('list').waitFor(WAIT)
      await page.waitForLoadState('networkidle')
      return undefined
    },
  },
]
