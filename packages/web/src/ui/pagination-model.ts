/** Which page numbers a pagination shows. */

export type PageItem = number | 'gap-before' | 'gap-after'

/** Number of pages, at least one. */
export function pageCount(total: number, pageSize: number): number {
  return Math.max(1, Math.ceil(total / pageSize))
}

/**
 * All pages up to four; beyond, the first, the last, the current with its neighbours, and an ellipsis for each gap. A
 * gap of one page is that page: an ellipsis would take the same room.
 */
export function pageItems(page: number, pages: number): PageItem[] {
  if (pages <= 4) return Array.from({ length: pages }, (_, index) => index + 1)
  // At both ends the window keeps its length, so that the buttons stay where they are while a person clicks on.
  const from = Math.max(1, Math.min(page - 1, pages - 2))
  const until = Math.min(pages, Math.max(page + 1, 3))
  const items: PageItem[] = []
  if (from > 1) items.push(1)
  if (from === 3) items.push(2)
  else if (from > 3) items.push('gap-before')
  for (let number = from; number <= until; number++) items.push(number)
  if (until === pages - 2) items.push(pages - 1)
  else if (until < pages - 2) items.push('gap-after')
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
