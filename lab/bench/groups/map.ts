/// <reference lib="dom" />
import type { Browser, Page } from '@playwright/test'
import { openBrowser, signedIn } from '../../product/browser.ts'
import { type Fixture, measureTimes, reportTimes } from '../fixture.ts'
import { goals } from '../goals.ts'

const VISITS = 5
/** Before the first event, so that all positions are requested. */
const EVERYTHING = '1970-01-01T00:00:00.000Z'

interface Answer {
  values: unknown[]
  total: { events: number }
}

/** Measures the map of all events: the server's answer, and a browser from the press on Map to the first marks. */
export async function measureMap(fixture: Fixture): Promise<void> {
  const { clients, sampling, report } = fixture
  const ask = () => clients.all.call<Answer>('POST', `/api/alarms/geo-locations?start=${EVERYTHING}`, { filter: {} })
  const { values, total } = await ask()
  const what = `${values.length.toLocaleString('en')} positions, ${total.events.toLocaleString('en')} events`
  const fewer = { ...sampling, samples: Math.min(sampling.samples, 30) }
  await measureTimes({ report, sampling: fewer }, { group: 'map', name: `locations of ${what}`, ask })
  const browser = await openBrowser()
  try {
    await measureVisits(fixture, browser)
  } finally {
    await browser.close()
  }
}

async function measureVisits({ product, data, report }: Fixture, browser: Browser): Promise<void> {
  const firstMarks: number[] = []
  const longest: number[] = []
  const shades: number[] = []
  for (let visit = 0; visit < VISITS; visit += 1) {
    const { context, page } = await signedIn(browser, { product, data })
    await page.goto(`/events?start=${EVERYTHING}`)
    await page.locator('tbody tr[data-row]').first().waitFor()
    await page.waitForLoadState('networkidle')
    const seen = await timeMap(page)
    firstMarks.push(seen.marks)
    longest.push(seen.longest)
    shades.push(seen.shades)
    await context.close()
  }
  const measures = [
    { name: 'first markers, from the press on Map', times: firstMarks, goal: goals.mapMarks },
    { name: 'shades of countries, from the press on Map', times: shades },
    { name: 'longest task of the main thread meanwhile', times: longest, goal: goals.mapTask },
  ]
  for (const measure of measures) reportTimes({ report }, { group: 'map', ...measure })
}

/** Returns the milliseconds from the press, by the browser's own clock. */
async function timeMap(page: Page): Promise<{ marks: number; shades: number; longest: number }> {
  return await page.evaluate(async () => {
    const tasks: number[] = []
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) tasks.push(entry.duration)
    }).observe({ type: 'longtask' })
    const untilThere = (selector: string) =>
      new Promise<number>((resolve) => {
        const look = () => {
          if (document.querySelector(selector) === null) requestAnimationFrame(look)
          else resolve(performance.now())
        }
        look()
      })
    const pressed = performance.now()
    document.querySelector<HTMLElement>('input[type="radio"][name="events-view"]:not(:checked)')?.click()
    const marks = await untilThere('.leaflet-marker-icon')
    const shades = await untilThere('path[data-open="1"], path[data-open="2"], path[data-open="3"]')
    return { marks: marks - pressed, shades: shades - pressed, longest: Math.max(0, ...tasks) }
  })
}
