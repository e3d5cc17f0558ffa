import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { FilterDataNotice } from '../../ui/filter-data-notice.tsx'
import { FilterPanel } from '../../ui/filter-panel.tsx'
import { filtersQuery } from '../users/users.api.ts'
import { offeredCategories } from './event-filter-offer.ts'
import type { EventFilterChoice } from './service-events.search.ts'
import { useFilterPeople } from './use-filter-people.ts'

/**
 * The inside of the filter dropdown: every category with the values of the person's data scope. Without those data the
 * lists that are the same for everybody can still be chosen from.
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
