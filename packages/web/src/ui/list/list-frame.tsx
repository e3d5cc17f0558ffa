import { Divider, Group, Stack } from '@mantine/core'
import '@mantine/core/styles/Divider.layer.css'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import type { ListSearch } from '../../lib/list/list-address.ts'
import { tabStore } from '../../lib/storage.ts'
import { Card } from '../layout/card.tsx'
import { ErrorState } from '../text/notice.tsx'
import { SearchBox } from './filters/search-box.tsx'
import { FewerPages, Pagination, pageCount } from './pagination.tsx'

/** Anything that returns pages, such as a query. */
interface PagedAnswer {
  data: { values: readonly unknown[]; total: number } | undefined
  error: Error | null
  isPlaceholderData: boolean
  refetch: () => unknown
}

/**
 * A searchable, paged list: tools, the table in a card, pagination. `empty` is shown if nothing was found. An error
 * replaces the table until a retry succeeds.
 */
export function ListFrame(props: {
  searchLabel: string
  keywordLength: number
  search: ListSearch
  onSearch: (search: ListSearch) => void
  list: PagedAnswer
  failureTitle: string
  /** Controls next to the search box. */
  filters?: ReactNode
  actions?: ReactNode
  empty: ReactNode
  children: ReactNode
}) {
  const { search, onSearch, list } = props
  const total = list.data?.total ?? 0
  const pages = pageCount(total, search.pageSize)
  const isBeyondEnd = list.data !== undefined && list.data.values.length === 0 && total > 0
  return (
    <Stack gap={12}>
      <Group gap={8}>
        <SearchBox
          label={props.searchLabel}
          keyword={search.keyword}
          maxLength={props.keywordLength}
          onChange={(keyword) => onSearch({ ...search, keyword, page: 1 })}
        />
        {props.filters}
        {props.actions !== undefined && (
          <Group gap={8} ml={{ md: 'auto' }}>
            {props.actions}
          </Group>
        )}
      </Group>
      <Card flush>
        {list.data === undefined && list.error !== null ? (
          <ErrorState title={props.failureTitle} onRetry={() => void list.refetch()}>
            {list.error.message}
          </ErrorState>
        ) : list.data !== undefined && total === 0 ? (
          props.empty
        ) : isBeyondEnd && !list.isPlaceholderData ? (
          <FewerPages onLastPage={() => onSearch({ ...search, page: pages })} />
        ) : (
          props.children
        )}
        <Divider />
        <Pagination
          page={Math.min(search.page, pages)}
          pageSize={search.pageSize}
          total={total}
          onPage={(page) => onSearch({ ...search, page })}
          onPageSize={(pageSize) => onSearch({ ...search, pageSize, page: 1 })}
        />
      </Card>
    </Stack>
  )
}

/** Remembers which row of the list `area` this tab opened, such as the id of an event. */
export function rememberOpened(area: string, name: string): void {
  tabStore.write(`${area}.opened`, name)
}

/**
 * Calls `goTo` with the item that was opened from the list once the rows are back, so that keyboard users continue
 * where they were and not at the top. Only if nothing else has taken the focus by then.
 */
export function useReturnToRow(
  area: string,
  { isLoaded, goTo }: { isLoaded: boolean; goTo: (name: string) => void },
): void {
  const goBack = useEffectEvent(() => {
    const name = tabStore.read(`${area}.opened`)
    if (typeof name !== 'string') return
    tabStore.remove(`${area}.opened`)
    const focused = document.activeElement
    // The whole screen has the focus if the link that led here is gone.
    if (focused === null || focused === document.body || focused.id === 'content') goTo(name)
  })
  useEffect(() => {
    if (isLoaded) goBack()
  }, [isLoaded])
}
