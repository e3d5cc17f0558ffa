import { pageSizes } from '@benchwatch/contract/vocabulary'
import { Button, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { PageSize } from '../../lib/list/list-address.ts'
import { NativeSelect } from '../form/native-select.tsx'
import { Chevron } from '../text/chevron.tsx'
import { EmptyState } from '../text/notice.tsx'
import styles from './list.module.css'

/** An entry of the pagination: a page number or an ellipsis. */
type PageItem = number | 'gap-before' | 'gap-after'

/** Shows the range of rows, page numbers (with an ellipsis above four pages) and the page size. */
export function Pagination(props: {
  page: number
  pageSize: number
  /** Undefined until known. */
  total: number | undefined
  onPage: (page: number) => void
  onPageSize: (pageSize: PageSize) => void
  /** Other content at the foot of the list. */
  children?: ReactNode
}) {
  const { page, pageSize, total, onPage } = props
  // Until the total is known, the requested page is the last known one.
  const pages = total === undefined ? page : pageCount(total, pageSize)
  return (
    <div className={styles.pagination}>
      <Text flex="1 1 auto" c="dimmed" className={styles.figures}>
        {total !== undefined && pageExtent(page, pageSize, total)}
      </Text>
      <Group component="nav" gap={2} justify="center" wrap="nowrap" className={styles.pages} aria-label="Pages">
        <PageButton label="Previous page" disabled={page <= 1} onPress={() => onPage(page - 1)}>
          <Chevron to="left" />
        </PageButton>
        {pageItems(page, pages).map((item) =>
          typeof item === 'number' ? (
            <PageButton
              key={item}
              label={`Page ${item.toLocaleString('en')}`}
              isCurrent={item === page}
              onPress={() => item !== page && onPage(item)}
            >
              {item.toLocaleString('en')}
            </PageButton>
          ) : (
            <Text key={item} span c="dimmed" ta="center" w={22} aria-hidden="true">
              …
            </Text>
          ),
        )}
        <PageButton label="Next page" disabled={page >= pages} onPress={() => onPage(page + 1)}>
          <Chevron to="right" />
        </PageButton>
      </Group>
      <NativeSelect
        aria-label="Rows per page"
        value={pageSize}
        onChange={({ currentTarget }) => props.onPageSize(Number(currentTarget.value) as PageSize)}
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

function PageButton(props: {
  label: string
  isCurrent?: boolean
  disabled?: boolean
  onPress: () => void
  children: ReactNode
}) {
  return (
    <Button
      variant={props.isCurrent ? 'filled' : 'subtle'}
      color={props.isCurrent ? undefined : 'var(--bw-ink-1)'}
      size="compact-sm"
      miw={{ base: 40, md: 30 }}
      px={6}
      bg={props.disabled ? 'transparent' : undefined}
      aria-label={props.label}
      aria-current={props.isCurrent ? 'page' : undefined}
      disabled={props.disabled}
      onClick={props.onPress}
    >
      {props.children}
    </Button>
  )
}

/** Number of pages, at least one. */
export function pageCount(total: number, pageSize: number): number {
  return Math.max(1, Math.ceil(total / pageSize))
}

/**
 * Returns all pages up to four; beyond that the first, the last, three around the current one, and ellipses for the
 * rest.
 */
export function pageItems(page: number, pages: number): PageItem[] {
  if (pages <= 4) return Array.from({ length: pages }, (_, index) => index + 1)
  // Also three at both ends, so that the buttons stay in place while the user clicks on.
  const middle = Math.max(1, Math.min(page - 1, pages - 2))
  // With five pages, three neighbours of page 3 would need no ellipsis, which the specification requires above four.
  const from = pages === 5 && middle === 2 ? 1 : middle
  const until = from + 2
  const items: PageItem[] = [from, from + 1, until]
  if (from > 2) items.unshift('gap-before')
  if (from > 1) items.unshift(1)
  if (until < pages - 1) items.push('gap-after')
  if (until < pages) items.push(pages)
  return items
}

/** Formats e.g. '1–12 of 1,284'; '0 of 0' if empty. */
export function pageExtent(page: number, pageSize: number, total: number): string {
  if (total === 0) return '0 of 0'
  const first = (page - 1) * pageSize + 1
  const last = Math.min(page * pageSize, total)
  return `${first.toLocaleString('en')}–${last.toLocaleString('en')} of ${total.toLocaleString('en')}`
}

/** Shown instead of a page beyond the last one: rows have gone, or the address is old. */
export function FewerPages({ onLastPage }: { onLastPage: () => void }) {
  return (
    <EmptyState title="This page no longer exists" action={{ label: 'Go to the last page', onClick: onLastPage }} />
  )
}
