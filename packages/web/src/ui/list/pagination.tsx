import { pageSizes } from '@benchwatch/contract/vocabulary'
import type { ReactNode } from 'react'
import { NativeSelect } from '../form/native-select.tsx'
import { Chevron } from '../text/chevron.tsx'
import { EmptyState } from '../text/notice.tsx'
import styles from './pagination.module.css'

/** Which page numbers a pagination shows. */
type PageItem = number | 'gap-before' | 'gap-after'

/** Extent of the page, page numbers with an ellipsis above four pages, and how many rows a page has. */
export function Pagination(props: {
  page: number
  pageSize: number
  /** Undefined until it is known. */
  total: number | undefined
  onPage: (page: number) => void
  onPageSize: (pageSize: number) => void
  /** What else stands at the foot of the list. */
  children?: ReactNode
}) {
  const { page, pageSize, total, onPage } = props
  // Until the total is known, the page that was asked for is the last one that is known of.
  const pages = total === undefined ? page : pageCount(total, pageSize)
  return (
    <div className={styles.bar}>
      <span className={styles.extent}>{total !== undefined && pageExtent(page, pageSize, total)}</span>
      <nav className={styles.pages} aria-label="Pages">
        <button type="button" aria-label="Previous page" disabled={page <= 1} onClick={() => onPage(page - 1)}>
          <Chevron to="left" />
        </button>
        {pageItems(page, pages).map((item) =>
          typeof item === 'number' ? (
            <button
              key={item}
              type="button"
              aria-label={`Page ${item.toLocaleString('en')}`}
              aria-current={item === page ? 'page' : undefined}
              onClick={() => item !== page && onPage(item)}
            >
              {item.toLocaleString('en')}
            </button>
          ) : (
            <span key={item} className={styles.gap} aria-hidden="true">
              …
            </span>
          ),
        )}
        <button type="button" aria-label="Next page" disabled={page >= pages} onClick={() => onPage(page + 1)}>
          <Chevron to="right" />
        </button>
      </nav>
      <NativeSelect
        className={styles.size}
        aria-label="Rows per page"
        value={pageSize}
        onChange={({ currentTarget }) => props.onPageSize(Number(currentTarget.value))}
      >
        {pageSizes.map((size) => (
          <option key={size} value={size}>
            {size} / page
          </option>
        ))}
      </NativeSelect>
      {props.children}
    </div>
  )
}

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

/** In place of a page behind the last one: others deleted or dealt with what stood there, or the address is an old one. */
export function FewerPages({ onLastPage }: { onLastPage: () => void }) {
  return (
    <EmptyState title="There are fewer pages by now" action={{ label: 'Go to the last page', onClick: onLastPage }} />
  )
}
