import { pageSizes } from '@benchwatch/contract/vocabulary'
import type { ReactNode } from 'react'
import { Chevron } from './chevron.tsx'
import { NativeSelect } from './native-select.tsx'
import styles from './pagination.module.css'
import { pageCount, pageExtent, pageItems } from './pagination-model.ts'

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
  const pages = pageCount(total ?? 0, pageSize)
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
