import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { FilterDataNotice } from '../../ui/filter-data-notice.tsx'
import { FilterPanel } from '../../ui/filter-panel.tsx'
import { filtersQuery } from '../users/users.api.ts'
import { offeredCategories } from './instrument-filter-offer.ts'
import type { InstrumentFilterChoice } from './instruments.search.ts'

/** The inside of the filter dropdown: every category with the values of the person's data scope. */
export function InstrumentFilterPanel(props: {
  chosen: InstrumentFilterChoice
  onChange: (chosen: InstrumentFilterChoice) => void
  onClose: () => void
}) {
  const { chosen } = props
  const [chosenBefore] = useState(chosen)
  const { data, isFetching, refetch } = useQuery(filtersQuery())
  return (
    <FilterPanel
      categories={offeredCategories({ filterData: data?.instrumentSummaryFilter, chosen, chosenBefore })}
      chosen={chosen}
      onChange={props.onChange}
      onClose={props.onClose}
      notice={data === undefined && <FilterDataNotice isLoading={isFetching} onRetry={() => void refetch()} />}
    />
  )
}
