import type { Page } from '@playwright/test'
import { apiOf } from '../../api.ts'
import { expect, people, test } from '../../fixtures.ts'
import { atEachWidth, expectGoodLook, expectNothingCutOff } from '../../look.ts'
import type { Product } from '../../product.ts'
import { Registry } from '../../registry.ts'

/** Each in its own words, so that a page that shows one of them as text is known to show this one. */
const hostile = (what: string) =>
  `${what}<img src=x onerror="window.ran='${what}'"><script>window.ran='${what}'</script><b>bold</b>&amp;`

interface Watched {
  ran?: string
  violations?: string[]
}

/** Notes what a page must never do: run a text, break a rule of its content security policy, or fail. */
async function watch(page: Page): Promise<() => Promise<void>> {
  const failures: string[] = []
  page.on('pageerror', ({ message }) => failures.push(message))
  await page.addInitScript(() => {
    const watched = window as unknown as Watched
    watched.violations = []
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      watched.violations?.push(`${violatedDirective} ${blockedURI}`),
    )
  })
  return async () => {
    expect(failures).toEqual([])
    expect(await page.evaluate(() => (window as unknown as Watched).ran ?? null)).toBeNull()
    expect(await page.evaluate(() => (window as unknown as Watched).violations)).toEqual([])
    await expect(page.locator('img[src="x"]')).toHaveCount(0)
    await expect(page.locator('main b')).toHaveCount(0)
  }
}

const rowOf = (page: Page, word: string) => page.locator('tbody tr[data-row]').filter({ hasText: word })

async function find(page: Page, word: string) {
  await page.goto(`/events?keyword=${word}`)
  await expect(rowOf(page, word)).toBeVisible()
}

/** Adds a user of this name who sees everything. */
async function invite(product: Product, name: string): Promise<void> {
  const email = `texts-${Math.random().toString(36).slice(2)}@benchwatch.example`
  await apiOf(product, 'admin').call('inviteUser', { body: { email, name, role: 'service', customers: null } })
}

test.describe('a text is a text, whoever wrote it', () => {
  test('HTML and script in every text from instruments and people, on the list, in what opens from it and on the details', async ({
    pageOf,
    product,
    outbox,
  }) => {
    const { alarms, instrument } = await (await Registry.of(product)).laboratory({
      customer: hostile('customer'),
      site: { street: hostile('street'), zip: '<b>1</b>', city: hostile('ci'), country: 'Sweden', region: 'EMEA' },
      instrument: { productDescription: hostile('product'), systemName: hostile('system') },
      contact: {
        key: `"><b>x@${Math.random()}`,
        input: { name: hostile('contact'), phone: '<b>1</b>', mobile: '"><b>' },
      },
      contract: { type: hostile('ty'), slaTerm: '<b>24 h</b>', startDate: '2020-01-01' },
    })
    const owner = `owner${Math.random()}<img src=x onerror="window.ran=1"><b>bold</b>`
    await invite(product, owner)
    const alarm = await alarms.raise(instrument, {
      words: hostile('description'),
      userMessage: hostile('message'),
      component: hostile('component'),
    })
    const word = alarm.description.slice(-6)
    const page = await pageOf('support', { isNew: true })
    const expectHarmless = await watch(page)
    await find(page, word)
    await expect(rowOf(page, word)).toContainText('description<img src=x')
    await expect(rowOf(page, word)).toContainText('customer<img src=x')
    await expect(rowOf(page, word)).toContainText('product<img src=x')
    await expectHarmless()

    await test.step('the expanded row', async () => {
      await page.getByRole('button', { name: /^Expand ORC-/ }).click()
      for (const what of ['component', 'customer', 'street'])
        await expect(page.locator('main').getByText(`${what}<img src=x`).first()).toBeVisible()
      await expectHarmless()
    })

    await test.step('a person’s name, as owner', async () => {
      await page.getByRole('button', { name: 'Owner: None' }).click()
      await page.getByRole('option').filter({ hasText: owner }).click()
      await expect(page.getByRole('alert').filter({ hasText: owner })).toBeVisible()
      await expect(rowOf(page, word)).toContainText('owner')
      await expectHarmless()
    })

    await test.step('the description’s dropdown', async () => {
      await rowOf(page, word)
        .getByRole('button', { name: /description/i })
        .first()
        .click()
      await expect(page.getByRole('dialog').getByText('description<img src=x').first()).toBeVisible()
      await expectHarmless()
      await page.keyboard.press('Escape')
    })

    await test.step('the details', async () => {
      await rowOf(page, word)
        .getByRole('link', { name: /^ORC-\d+$/ })
        .click()
      await expect(page.getByRole('heading', { level: 1 })).toContainText('description<img src=x')
      for (const what of ['description', 'message', 'component', 'product', 'system', 'street', 'customer', 'contact'])
        await expect(page.locator('main').getByText(`${what}<img src=x`).first()).toBeVisible()
      await expect(page.getByRole('region', { name: 'History' })).toContainText('owner')
      await expect(page.getByRole('region', { name: 'Around the event' }).getByRole('img')).toHaveAccessibleName(
        /description<img src=x/,
      )
      // None of what is no address, number or link became one.
      await expect(page.locator('main a[href^="mailto:"], main a[href^="tel:"]')).toHaveCount(0)
      await expectHarmless()
    })

    await test.step('a comment, in the mail and in the history', async () => {
      await page.getByRole('button', { name: 'Share' }).click()
      const dialog = page.getByRole('dialog', { name: 'Email Event' })
      await dialog.getByRole('combobox', { name: 'Recipients' }).fill('Weber')
      await dialog.getByRole('option', { name: /Weber/ }).first().click()
      await dialog.getByLabel('Comment (optional)').fill(hostile('comment'))
      await dialog.getByRole('button', { name: 'Share' }).click()
      await expect(page.getByRole('alert').filter({ hasText: 'shared successfully' })).toBeVisible()
      await expect(page.getByRole('region', { name: 'History' })).toContainText('comment<img src=x')
      const mail = await outbox.newestTo(people.service, 'comment<img')
      expect(mail.html).not.toMatch(/<script|<img|<b>/)
      expect(mail.html).toContain('comment&lt;img src=x')
      expect(mail.subject).not.toMatch(/[\r\n]/)
      await page.getByRole('button', { name: /^E-mail/ }).click()
      await expectHarmless()
      await page.keyboard.press('Escape')
    })

    await test.step('the name of a view', async () => {
      await page.goto(`/events?keyword=${word}`)
      await page.getByRole('button', { name: /^Views?\b/ }).click()
      await page.getByRole('button', { name: /^Save as/ }).click()
      await page.getByLabel('Name').fill(`<img src=x onerror=window.ran=1>${word}`)
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await expect(page.getByRole('button', { name: `View: <img src=x onerror=window.ran=1>${word}` })).toBeVisible()
      await expectHarmless()
    })
  })

  test('of 10,000 characters, and of one word that has no end, leaves the layout as it is', async ({
    pageOf,
    product,
  }) => {
    const endless = 'x'.repeat(200)
    const { alarms, instrument } = await (await Registry.of(product)).laboratory({
      customer: endless,
      site: { street: endless, city: endless.slice(0, 120), country: 'Sweden' },
      instrument: { productDescription: endless, systemName: endless },
      contact: { key: `${'m'.repeat(90)}@${Math.random()}.example`, input: { name: endless } },
      contract: { type: endless.slice(0, 120), slaTerm: endless.slice(0, 120) },
    })
    const alarm = await alarms.raise(instrument, {
      words: `${'Pressure '.repeat(550)}${'y'.repeat(5000)}`,
      userMessage: 'z'.repeat(10_000),
      component: endless,
    })
    const word = alarm.description.slice(-6)
    const page = await pageOf('support', { isNew: true })
    const expectHarmless = await watch(page)
    await find(page, word)
    await atEachWidth(page, async (width) => {
      const height = (await rowOf(page, word).boundingBox())?.height ?? 0
      expect(height, `row at ${width}`).toBeLessThanOrEqual(width < 700 ? 200 : 60)
      await expectNothingCutOff(page, `the list at ${width}`)
    })
    await page.getByRole('button', { name: /^Expand ORC-/ }).click()
    await expect(page.getByRole('link', { name: 'Event details' })).toBeVisible()
    await atEachWidth(page, (width) => expectNothingCutOff(page, `the expanded row at ${width}`))
    await rowOf(page, word)
      .getByRole('link', { name: /^ORC-\d+$/ })
      .click()
    await expect(page.getByRole('region', { name: 'Around the event' })).toBeVisible()
    await atEachWidth(page, async (width) => {
      await expectNothingCutOff(page, `the details at ${width}`)
      // What comes after the text is still near.
      const top = (await page.getByText('Error id', { exact: true }).boundingBox())?.y ?? 0
      expect(top, `the text takes the screen at ${width}`).toBeLessThan(1600)
    })
    await expectHarmless()
  })

  test('from right to left, or in Chinese and Japanese, keeps its own direction beside the others', async ({
    pageOf,
    product,
  }) => {
    const arabic = 'مختبرات الزيتون الحيوية'
    const { alarms, instrument } = await (await Registry.of(product)).laboratory({
      customer: arabic,
      site: { street: 'شارع الجامعة 7', city: 'عمّان', country: 'الأردن', timeZone: 'Asia/Amman' },
      instrument: { productDescription: '纯化系统 25', systemName: '精製ライン２' },
      contact: { key: `layla.${Math.random()}@zaytoun.example`, input: { name: 'ليلى حداد (2)' } },
    })
    const alarm = await alarms.raise(instrument, {
      words: 'الضغط أعلى من الحد (6.4 MPa)',
      userMessage: '压力超过上限。请检查管路。',
      component: 'ポンプB (P9-B)',
    })
    const word = alarm.description.slice(-6)
    const page = await pageOf('support', { isNew: true })
    const expectHarmless = await watch(page)
    await find(page, word)
    const directionOf = (text: string | RegExp) =>
      page
        .locator('main')
        .getByText(text)
        .first()
        .evaluate((element) => getComputedStyle(element.closest('[dir], bdi') ?? element).direction)
    await atEachWidth(page, async (width) => {
      await expectNothingCutOff(page, `the list at ${width}`)
      expect(await directionOf(/^الضغط/), `description in the list at ${width}`).toBe('rtl')
    })
    await rowOf(page, word)
      .getByRole('link', { name: /^ORC-\d+$/ })
      .click()
    await expect(page.getByRole('heading', { level: 1 })).toContainText('الضغط')
    await expect(page.locator('main').getByText('精製ライン２').first()).toBeVisible()
    await expect(page.locator('main').getByText('压力超过上限。请检查管路。')).toBeVisible()
    await expect(page.locator('main').getByText('ポンプB (P9-B)').first()).toBeVisible()
    await atEachWidth(page, async (width) => {
      for (const text of [arabic, 'ليلى حداد (2)']) expect(await directionOf(text), `${text} at ${width}`).toBe('rtl')
      await expectNothingCutOff(page, `the details at ${width}`)
    })
    await expectHarmless()
  })
})

test('an instrument without position, contract and contact shows dashes, in both themes', async ({
  pageOf,
  product,
}) => {
  const { alarms, instrument } = await (await Registry.of(product)).laboratory()
  const alarm = await alarms.raise(instrument, { words: 'Nothing is known' })
  const word = alarm.description.slice(-6)
  const page = await pageOf('support', { isNew: true })
  const expectHarmless = await watch(page)
  await find(page, word)
  await page.getByRole('button', { name: /^Expand ORC-/ }).click()
  await expect(page.getByRole('link', { name: 'Event details' })).toBeVisible()
  await atEachWidth(page, (width) => expectNothingCutOff(page, `the list at ${width}`))
  await rowOf(page, word)
    .getByRole('link', { name: /^ORC-\d+$/ })
    .click()
  const card = page.getByRole('region', { name: 'Customer' })
  const names = [
    'Contract type',
    'Contract SLA',
    'Contract expiry',
    'Last service',
    'Contact',
    'Phone',
    'Mobile',
    'E-mail',
    'IT contact',
  ]
  for (const name of names) {
    const value = card.locator('dt', { hasText: new RegExp(`^${name}$`) }).locator('xpath=following-sibling::dd[1]')
    await expect(value, name).toHaveText('–')
  }
  await expect(page.getByText('No instrument status is known for this period.')).toBeVisible()
  await expect(page.getByText('No events before this one on this instrument.')).toBeVisible()
  await expectGoodLook(page, 'details-without-facts')
  await expectHarmless()
})
