import { type PageSize, readKeyword, readPage, readPageSize } from './list-address.ts'

/** What the address of a plain list says: a keyword and the page. The same for every list without filters of its own. */

export interface ListSearch {
  keyword: string
  /** From 1. */
  page: number
  pageSize: number
}

const USUAL_PAGE_SIZE: PageSize = 25

/** Reads an address that anybody may have written: what is not understood is as usual. */
export function readListSearch(parameters: Record<string, string | undefined>): ListSearch {
  return {
    keyword: readKeyword(parameters.keyword),
    page: readPage(parameters.page),
    pageSize: readPageSize(parameters.pageSize, USUAL_PAGE_SIZE),
  }
}

/** The inverse; what is as usual is left out. */
export function writeListSearch({ keyword, page, pageSize }: ListSearch): Record<string, string> {
  return {
    ...(keyword !== '' && { keyword }),
    ...(page > 1 && { page: String(page) }),
    ...(pageSize !== USUAL_PAGE_SIZE && { pageSize: String(pageSize) }),
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
