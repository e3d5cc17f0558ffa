import { Group, Stack } from '@mantine/core'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import type { ListSearch } from '../../lib/list/list-address.ts'
import { tabStore } from '../../lib/storage.ts'
import { SearchBox } from './filters/search-box.tsx'
import { TableCard, type TableCardProps } from './table-card.tsx'

/** A searchable, paged list: tools above its table. */
export function ListFrame<Row>({
  searchLabel,
  keywordLength,
  search,
  onSearch,
  filters,
  actions,
  ...table
}: TableCardProps<Row> & {
  searchLabel: string
  keywordLength: number
  search: ListSearch
  onSearch: (search: ListSearch) => void
  /** Controls next to the search box. */
  filters?: ReactNode
  actions?: ReactNode
}) {
  return (
    <Stack gap={12}>
      <Group gap={8}>
        <SearchBox
          label={searchLabel}
          keyword={search.keyword}
          maxLength={keywordLength}
          onChange={(keyword) => onSearch({ ...search, keyword, page: 1 })}
        />
        {filters}
        {actions !== undefined && (
          <Group gap={8} ml={{ md: 'auto' }}>
            {actions}
          </Group>
        )}
      </Group>
      <TableCard {...table} place={search} onPlace={(place) => onSearch({ ...search, ...place })} />
    </Stack>
  )
}

/** Remembers which row of the list `area` this tab opened, such as the id of an event. */
export function rememberOpened(area: string, name: string): void {
  tabStore.write(`${area}.opened`, name)
}

/** Returns true if this tab has opened a row of the list `area` and not shown the list since. */
export function isReturning(area: string): boolean {
  return tabStore.read(`${area}.opened`) !== null
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
