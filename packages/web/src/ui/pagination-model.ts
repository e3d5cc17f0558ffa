/** Which page numbers a pagination shows. */

export type PageItem = number | 'gap-before' | 'gap-after'

/** Number of pages, at least one. */
export function pageCount(total: number, pageSize: number): number {
  return Math.max(1, Math.ceil(total / pageSize))
}

/**
 * All pages up to four; beyond, the first, the last, three around the current one, and an ellipsis for what is left out.
 */
export function pageItems(page: number, pages: number): PageItem[] {
  if (pages <= 4) return Array.from({ length: pages }, (_, index) => index + 1)
  // At both ends there are three as well, so that the buttons stay where they are while a person clicks on.
  const middle = Math.max(1, Math.min(page - 1, pages - 2))
  // In the middle of five, three neighbours would leave nothing out; the specification has an ellipsis above four.
  const from = pages === 5 && middle === 2 ? 1 : middle
  const until = from + 2
  const items: PageItem[] = [from, from + 1, until]
  if (from > 2) items.unshift('gap-before')
  if (from > 1) items.unshift(1)
  if (until < pages - 1) items.push('gap-after')
  if (until < pages) items.push(pages)
  return items
}

/** '1–12 of 1,284'; '0 of 0' when there is nothing. */
export function pageExtent(page: number, pageSize: number, total: number): string {
  if (total === 0) return '0 of 0'
  const first = (page - 1) * pageSize + 1
  const last = Math.min(page * pageSize, total)
  return `${first.toLocaleString('en')}–${last.toLocaleString('en')} of ${total.toLocaleString('en')}`
}
