/** What the address of a plain list says: a keyword and the page. The same for every list without filters of its own. */

export interface ListSearch {
  keyword: string
  /** From 1. */
  page: number
  pageSize: number
}

const DEFAULT_PAGE_SIZE = 25
/** The longest page that the server answers (wire 1). */
const MAX_PAGE_SIZE = 100

/** Reads an address that anybody may have written: what is no page becomes the first one. */
export function readListSearch(parameters: Record<string, string | undefined>, keywordLength: number): ListSearch {
  return {
    keyword: (parameters.keyword ?? '').slice(0, keywordLength),
    page: wholeNumber(parameters.page, 1_000_000) ?? 1,
    pageSize: wholeNumber(parameters.pageSize, MAX_PAGE_SIZE) ?? DEFAULT_PAGE_SIZE,
  }
}

/** The inverse; what is as usual is left out. */
export function writeListSearch({ keyword, page, pageSize }: ListSearch): Record<string, string> {
  return {
    ...(keyword !== '' && { keyword }),
    ...(page > 1 && { page: String(page) }),
    ...(pageSize !== DEFAULT_PAGE_SIZE && { pageSize: String(pageSize) }),
  }
}

/** The query of the wire for this page. */
export function pageQuery({ keyword, page, pageSize }: ListSearch): {
  limit: number
  offset: number
  keyword?: string
} {
  const trimmed = keyword.trim()
  return { limit: pageSize, offset: (page - 1) * pageSize, ...(trimmed !== '' && { keyword: trimmed }) }
}

function wholeNumber(text: string | undefined, max: number): number | null {
  if (text === undefined || !/^\d{1,7}$/.test(text)) return null
  const number = Number(text)
  return number >= 1 && number <= max ? number : null
}
