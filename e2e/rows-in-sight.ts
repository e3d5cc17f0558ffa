import type { Locator } from '@playwright/test'

/** Returns how many rows of a list are completely visible within `frame`, which clips it. */
export async function rowsInSight(rows: Locator, frame: Locator): Promise<number> {
  await rows.first().waitFor()
  const box = await frame.boundingBox()
  const { y: top, height } = box ?? { y: 0, height: 0 }
  return rows.evaluateAll(
    (all, { from, to }) =>
      all.filter((row) => {
        const { top: upper, bottom } = row.getBoundingClientRect()
        // Half a pixel: rows rarely end on a whole one.
        return upper >= from - 0.5 && bottom <= to + 0.5
      }).length,
    { from: top, to: top + height },
  )
}
