import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, type Locator, type Page } from '@playwright/test'
import { objections } from './axe.ts'

/**
 * The pictures of a run, for eyes: one for each screen, width and theme, where PICTURES asks for them. Nothing compares
 * them, and taking them takes a twelfth of the time of all journeys.
 */
const pictures = fileURLToPath(new URL('../test-results/pictures/', import.meta.url))
const takesPictures = Boolean(process.env.PICTURES)
if (takesPictures) mkdirSync(pictures, { recursive: true })

const themes = ['light', 'dark'] as const
type Theme = (typeof themes)[number]

/** Does this in both themes, as when the system of the user changes from one to the other, and back to the first. */
async function inBothThemes(page: Page, look: (theme: Theme) => Promise<void>): Promise<void> {
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    // Looked at with each frame: an assertion of a locator looks again after 100 and 350 ms only.
    await page.waitForFunction((wanted) => document.documentElement.dataset.mantineColorScheme === wanted, theme)
    await look(theme)
  }
  await page.emulateMedia({ colorScheme: themes[0], reducedMotion: 'reduce' })
}

/**
 * Checks a page. It consists of the same elements in both themes, so the second theme is checked only for its colours.
 * Colours fade into those of the other theme, so in between a text may have one theme's colour and its background the
 * other's.
 */
async function expectNone(page: Page, { name, theme, within }: { name: string; theme: Theme; within?: string }) {
  const what = { ...(within && { within }), isColoursAlone: theme !== themes[0] }
  // The time that axe itself takes counts: on a busy machine it took more than ten seconds.
  const options = { message: name, intervals: [50], timeout: 60_000 }
  await expect.poll(() => objections(page, what), options).toEqual([])
}

/** In both themes axe objects to nothing on the page, or within a part of it (a selector). */
export async function expectNoObjections(page: Page, within?: string): Promise<void> {
  await inBothThemes(page, (theme) => expectNone(page, { name: theme, theme, ...(within && { within }) }))
}

/** Nothing of the page is to be reached by scrolling sideways. */
export async function expectNothingCutOff(page: Page, name: string): Promise<void> {
  const overflow = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  // Charts measure their place once it has changed.
  await expect.poll(overflow, { message: `${name} scrolls sideways`, intervals: [50] }).toBeLessThanOrEqual(0)
}

const widths = [1440, 1024, 390] as const

/** Does this at each width, and leaves the page at the widest. */
export async function atEachWidth(page: Page, look: (width: number) => Promise<void>): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    await look(width)
  }
  await page.setViewportSize({ width: widths[0], height: 900 })
}

interface Part {
  /** The part that was not looked at before (a selector); without, the whole page. */
  within?: string
  /** It must be visible at each width. */
  inSight?: Locator
}

/**
 * Looks at what the page shows, at 1440, 1024 and 390 px, without loading it again: nothing cut off, nothing that axe
 * objects to in the wide layout in both themes and in the narrow one; and a picture for eyes, where they are asked for.
 * Both themes have the same layout, and both layouts the same colours.
 */
export async function expectGoodLook(page: Page, part: string, { within, inSight }: Part = {}): Promise<void> {
  // At another width, the pointer could lie on something else, such as a button with a tooltip.
  await page.mouse.move(0, 0)
  await atEachWidth(page, async (width) => {
    const name = `${part} at ${width} px`
    await expectNothingCutOff(page, name)
    if (inSight) await expect(inSight, name).toBeInViewport({ ratio: 0.98 })
    const look = async (theme: Theme) => {
      if (takesPictures) {
        await page.screenshot({ path: `${pictures}${part}-${width}-${theme}.png`, animations: 'disabled' })
      }
      if (width === 1440 || (width === 390 && theme === themes[0]))
        await expectNone(page, { name: `${name}, ${theme}`, theme, ...(within && { within }) })
    }
    if (takesPictures || width === 1440) await inBothThemes(page, look)
    else await look(themes[0])
  })
}
