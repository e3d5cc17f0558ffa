import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'

/**
 * What axe objects to on a page, or within a part of it (a selector): a line for each broken rule with the elements that
 * break it. It works in the page itself. By default the builder opens a second page for every report, for the sake of
 * frames, of which most screens have none: 0.9 s instead of 3.1 for the list of events, with the same rules.
 */
export async function objections(page: Page, within?: string): Promise<string[]> {
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
  return told(await (within === undefined ? axe : axe.include(within)).analyze())
}

/** The same of a page together with what stands in its frames. */
export async function objectionsWithFrames(page: Page): Promise<string[]> {
  return told(await new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).analyze())
}

function told({ violations }: Awaited<ReturnType<AxeBuilder['analyze']>>): string[] {
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
}
