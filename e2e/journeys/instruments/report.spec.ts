import { readFile } from 'node:fs/promises'
import type { IngestItemInput } from '@benchwatch/contract/ingest'
import type { Page } from '@playwright/test'
import { extractText, getDocumentProxy } from 'unpdf'
import { objections } from '../../axe.ts'
import { expect, signInOn, test } from '../../fixtures.ts'
import { expectNothingCutOff } from '../../look.ts'
import type { Product } from '../../product.ts'
import { Registry } from '../../registry.ts'

type Sampled = Extract<IngestItemInput, { type: 'benchwatch.usage.sampled' }>['data']['components']

const sections = (page: Page) => page.locator('[data-sheet] h2')

/** An instrument in Tokyo with six components, a day of run time and two events. */
async function instrumentInTokyo(product: Product): Promise<string> {
  const { alarms, instrument, gateway } = await (await Registry.of(product)).laboratory({
    customer: '東京バイオ製薬株式会社',
    site: { city: '東京', country: '日本', timeZone: 'Asia/Tokyo' },
    instrument: { productDescription: 'ÄKTA pure 25', systemName: 'Łódź Ελένη Юлия 山岭' },
  })
  const components: Sampled = [1, 2, 3, 4, 5, 6].map((number) => ({
    componentName: `Pump ${number} (P${number})`,
    usage: [
      {
        metric: 'Piston strokes',
        unit: 'strokes',
        value: 160 * number,
        thresholdRule: 'MAXIMUM_USAGE',
        thresholdValues: [1000],
      },
    ],
    info: [{ metric: 'Serial number', unit: null, value: `18400${number}` }],
    details: [],
  }))
  const day = new Intl.DateTimeFormat('sv', { timeZone: 'Asia/Tokyo' }).format(Date.now())
  const head = (sequence: number) => ({
    specversion: '1.0' as const,
    id: `report-${sequence}`,
    source: `/gateways/${gateway}`,
    subject: instrument,
    time: new Date().toISOString(),
    sequence,
  })
  await alarms.send([
    { ...head(1), type: 'benchwatch.usage.sampled', data: { components } },
    { ...head(2), type: 'benchwatch.runtime.measured', data: { day, seconds: 9000 } },
  ])
  await alarms.raise(instrument, { words: 'Pressure above limit', severity: 'high' })
  await alarms.raise(instrument, { words: 'Lamp is weak', severity: 'low' })
  return instrument
}

/** Texts of a PDF with the places at which they end, in points from the left edge, by page. */
async function placesOf(bytes: Buffer): Promise<{ text: string; right: number }[][]> {
  const pdf = await getDocumentProxy(Uint8Array.from(bytes))
  const pages = Array.from({ length: pdf.numPages }, async (_, at) => {
    const { items } = await (await pdf.getPage(at + 1)).getTextContent()
    return items.flatMap((item) => ('str' in item ? [{ text: item.str, right: item.transform[4] + item.width }] : []))
  })
  return Promise.all(pages)
}

/** Texts of the pages of a PDF, from its own text layer. */
async function textsOf(bytes: Buffer): Promise<string[]> {
  return (await extractText(await getDocumentProxy(Uint8Array.from(bytes)), { mergePages: false })).text
}

test.describe('the System Report', () => {
  test('is read by sections, printed, and downloaded as a PDF named from description, id and date', async ({
    pageOf,
    product,
  }) => {
    const instrument = await instrumentInTokyo(product)
    const page = await pageOf('service')
    const complaints: string[] = []
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    await page.goto(`/report/${instrument}?reportType=fe`)
    await expect(page.getByRole('heading', { level: 1, name: 'System Report' })).toBeVisible()
    await expect(sections(page)).toHaveText([
      'Customer details',
      'System information',
      'Service events',
      'Daily run time, last 30 days',
      'Component details (first 4 of 6)',
      'Colour key',
      'All components (6)',
      'About Benchwatch',
    ])
    const sheet = page.locator('[data-sheet]')
    const head = sheet.locator('header')
    await expect(head).toContainText(/System Report.*Field Engineer Report.*\d\d-[A-Z][a-z]{2}-\d{4}/)
    await expect(sheet.getByRole('table').first()).toContainText('Pressure above limit')
    await expect(sheet.getByRole('table').nth(1)).toContainText(/ORC-\d+.*HIGH.*New/)
    await expect(sheet.getByRole('img', { name: /^Run time of each day: Total 2.5 h/ })).toBeVisible()
    await expect(sheet.locator('h3', { hasText: /^Pump \d/ })).toHaveCount(4)
    await expect(sheet.getByText('96.0% MAX = 1,000')).toHaveCount(0)
    await expect(sheet).toContainText(/Created by .+ \(service@benchwatch\.example\) on .+ with Benchwatch \d/)
    await expect(sheet).toContainText('Confidential.')
    expect(await objections(page)).toEqual([])

    // What a browser prints: the sheet alone, on numbered pages with its name.
    const printed = await textsOf(await page.pdf({ preferCSSPageSize: true }))
    expect(printed.length).toBeGreaterThan(1)
    for (const [place, text] of printed.entries()) {
      expect(text).toContain('System Report · Field Engineer Report')
      expect(text).toContain(`${place + 1} of ${printed.length}`)
    }
    expect(printed.join('\n')).not.toContain('Download PDF')
    expect(printed.join('\n')).not.toContain('All times')

    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download PDF' }).click()
    const file = await download
    expect(file.suggestedFilename()).toMatch(
      new RegExp(`^ÄKTA-pure-25_${instrument}_\\d\\d-[A-Z][a-z]{2}-\\d{4}\\.pdf$`),
    )
    const pages = await textsOf(await readFile(await file.path()))
    const whole = pages.join('\n')
    for (const words of [
      '東京バイオ製薬株式会社',
      '日本',
      'ÄKTA pure 25',
      'Łódź Ελένη Юлия 山岭',
      'Lamp is weak',
      'Most frequent events, last 6 months',
      'Colour key',
      'All components (6)',
      'Created by ',
      'Confidential.',
    ])
      expect(whole).toContain(words)
    expect(whole).toContain(`1 of ${pages.length}`)
    // The policy of the page lets no WebAssembly run; the worker that writes has one of its own.
    expect(complaints).toEqual([])
  })

  test('sets Arabic as it is written, keeps figures and short tables whole, and stays within its margins', async ({
    pageOf,
    product,
  }) => {
    const { alarms, instrument, gateway } = await (await Registry.of(product)).laboratory({
      customer: 'دلتا للعمليات الحيوية',
      site: { city: 'Delft', country: 'Netherlands', timeZone: 'Europe/Amsterdam' },
      instrument: { productDescription: 'ÄKTA pure 25' },
    })
    const usage = { metric: 'Arm movements', unit: 'moves', value: 207_123, thresholdRule: 'MAXIMUM_USAGE' as const }
    const sampled: IngestItemInput = {
      ...{ specversion: '1.0', id: 'report-1', source: `/gateways/${gateway}`, subject: instrument, sequence: 1 },
      ...{ time: new Date().toISOString(), type: 'benchwatch.usage.sampled' },
      data: {
        components: [
          {
            componentName: 'Fraction collector (F9-C)',
            usage: [{ ...usage, thresholdValues: [500_000] }],
            info: [],
            details: [],
          },
        ],
      },
    }
    await alarms.send([sampled])
    for (const words of ['One', 'Two', 'Three', 'Four', 'Five'])
      await alarms.raise(instrument, {
        words: `${words}: the module has not answered for five seconds, so it lost its node`,
      })
    const page = await pageOf('service')
    await page.goto(`/report/${instrument}?reportType=fe`)
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download PDF' }).click()
    const pages = await placesOf(await readFile(await (await download).path()))
    const texts = pages.flat().map(({ text }) => text)
    // Each word is a text of its own.
    expect(texts).toEqual(expect.arrayContaining(['دلتا', 'للعمليات', 'الحيوية', '41.4% MAX = 500,000']))
    // A4 is 595 points wide, and its margin 15 mm.
    expect(pages.flat().filter(({ right }) => right > 595.3 - 42.5 + 0.5)).toEqual([])
    const withHead = pages.filter((place) => place.some(({ text }) => text === 'Most recent events'))
    expect(withHead).toHaveLength(1)
    expect(withHead[0]?.filter(({ text }) => /^ORC-\d+$/.test(text))).toHaveLength(5)
  })

  test('for QS has no events and shows all components; run time and components need their flags', async ({
    pageOf,
    page,
    product,
    account,
  }) => {
    const instrument = await instrumentInTokyo(product)
    const service = await pageOf('service', { colorScheme: 'dark', width: 390 })
    await service.goto(`/report/${instrument}?reportType=fe`)
    await service.getByRole('link', { name: 'Qualification Services' }).click()
    await expect(service).toHaveURL(/reportType=qs$/)
    await expect(sections(service).filter({ hasText: 'Service events' })).toHaveCount(0)
    await expect(service.locator('[data-sheet] h3', { hasText: /^Pump \d/ })).toHaveCount(6)
    await expectNothingCutOff(service, 'The report')
    expect(await objections(service)).toEqual([])

    await page.goto(`/report/${instrument}?reportType=qs`)
    await signInOn(page, account)
    await expect(sections(page)).toHaveText(['Customer details', 'System information', 'About Benchwatch'])
  })

  test('says what is missing: the instrument, the data, the kind of report', async ({ pageOf, product }) => {
    const instrument = await instrumentInTokyo(product)
    const customer = await pageOf('customer')
    await customer.goto(`/report/${instrument}?reportType=fe`)
    await expect(customer.getByText('Instrument could not be found.')).toBeVisible()
    await customer.goto(`/report/${instrument}?reportType=pdf`)
    await expect(customer.getByRole('heading', { name: 'Page not found' })).toBeVisible()

    const page = await pageOf('service')
    await page.route('**/api/alarms/frequent-events*', (route) => route.fulfill({ status: 500, json: {} }))
    await page.goto(`/report/${instrument}?reportType=fe`)
    const failure = page.getByText('Could not get instrument report data')
    // As a message in the corner, and in the place of the report until it is there.
    await expect(failure).toHaveCount(2)
    await page.unroute('**/api/alarms/frequent-events*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'System Report' })).toBeVisible()
  })
})
