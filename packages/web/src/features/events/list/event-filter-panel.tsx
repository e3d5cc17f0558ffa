import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { FilterPanel } from '../../../ui/list/filters/filter-panel.tsx'
import { FilterDataNotice } from '../../../ui/text/notice.tsx'
import { filtersQuery } from '../../users/users.api.ts'
import type { EventFilterChoice } from '../events.search.ts'
import { offeredCategories, useFilterPeople } from './event-filters.ts'

/**
 * Content of the filter dropdown: every category with the values in the user's data scope. If these cannot be read,
 * the closed lists are still offered.
 */
export function EventFilterPanel(props: {
  chosen: EventFilterChoice
  onChange: (chosen: EventFilterChoice) => void
  onClose: () => void
}) {
  const people = useFilterPeople()
  const [chosenBefore] = useState(props.chosen)
  const { data, isFetching, refetch } = useQuery(filtersQuery())
  return (
    <FilterPanel
      categories={offeredCategories({ filterData: data?.eventFilter, chosen: props.chosen, chosenBefore, people })}
      chosen={props.chosen}
      onChange={props.onChange}
      onClose={props.onClose}
      notice={data === undefined && <FilterDataNotice isLoading={isFetching} onRetry={() => void refetch()} />}
    />
  )
}
