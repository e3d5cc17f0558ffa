import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, type Page } from '@playwright/test'
import { objections } from './axe.ts'

/** The pictures of a run, for eyes: one for each screen, width and theme. */
const pictures = fileURLToPath(new URL('../test-results/pictures/', import.meta.url))
mkdirSync(pictures, { recursive: true })

const themes = ['light', 'dark'] as const

/** Does this in both themes, as when the system of whoever looks changes from one to the other. */
export async function inBothThemes(page: Page, look: (theme: (typeof themes)[number]) => Promise<void>): Promise<void> {
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', theme)
    await look(theme)
  }
}

/** Colours pass into those of the other theme: in between a text may have the one and its ground the other. */
async function expectNone(page: Page, message: string, within?: string): Promise<void> {
  await expect.poll(() => objections(page, within), { message, intervals: [50] }).toEqual([])
}

/** In both themes axe objects to nothing on the page, or within a part of it (a selector). */
export async function expectNoObjections(page: Page, within?: string): Promise<void> {
  await inBothThemes(page, async (theme) => expectNone(page, theme, within))
}

/** Nothing of the page is to be reached by scrolling sideways. */
export async function expectNothingCutOff(page: Page, name: string): Promise<void> {
  const overflow = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  // Charts measure their place once it has changed.
  await expect.poll(overflow, { message: `${name} scrolls sideways`, intervals: [50] }).toBeLessThanOrEqual(0)
}

/**
 * In both themes, at the width that the page has: a picture for eyes, nothing cut off, nothing that axe objects to on the
 * page or within a part of it (a selector).
 */
export async function expectGoodLook(page: Page, name: string, within?: string): Promise<void> {
  const width = page.viewportSize()?.width ?? 0
  await inBothThemes(page, async (theme) => {
    await page.screenshot({ path: `${pictures}${name}-${width}-${theme}.png`, animations: 'disabled' })
    await expectNothingCutOff(page, `${name} at ${width} px, ${theme},`)
    await expectNone(page, `${name} at ${width} px, ${theme}`, within)
  })
}
