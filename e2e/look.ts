import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, type Page } from '@playwright/test'
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

/** Does this in both themes, as when the system of whoever looks changes from one to the other. */
export async function inBothThemes(page: Page, look: (theme: Theme) => Promise<void>): Promise<void> {
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    // Looked at with each frame: an assertion of a locator looks again after 100 and 350 ms only.
    await page.waitForFunction((wanted) => document.documentElement.dataset.mantineColorScheme === wanted, theme)
    await look(theme)
  }
}

/**
 * Checks a page. It consists of the same elements in both themes, so the second theme is checked only for its colours.
 * Colours fade into those of the other theme, so in between a text may have one theme's colour and its background the
 * other's.
 */
async function expectNone(page: Page, { name, theme, within }: { name: string; theme: Theme; within?: string }) {
  const what = { ...(within && { within }), isColoursAlone: theme !== themes[0] }
  await expect.poll(() => objections(page, what), { message: name, intervals: [50] }).toEqual([])
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

/**
 * Between the widest and the narrowest page the same parts stand in the same colours. There axe looks at every screen
 * (look.spec.ts), and not at each dialog and state of it again: some ninety reports of 0.2 to 0.5 s.
 */
export const BETWEEN = 1024

/**
 * In both themes, at the width that the page has: nothing cut off, nothing that axe objects to on the page or within a part
 * of it (a selector); and a picture for eyes, where they are asked for. Between the widest and the narrowest without axe.
 */
export async function expectGoodLook(page: Page, part: string, within?: string): Promise<void> {
  const width = page.viewportSize()?.width ?? 0
  await inBothThemes(page, async (theme) => {
    const name = `${part} at ${width} px, ${theme}`
    if (takesPictures) {
      await page.screenshot({ path: `${pictures}${part}-${width}-${theme}.png`, animations: 'disabled' })
    }
    await expectNothingCutOff(page, name)
    if (width !== BETWEEN) await expectNone(page, { name, theme, ...(within && { within }) })
  })
}
