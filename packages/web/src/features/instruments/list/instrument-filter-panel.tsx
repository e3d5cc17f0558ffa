import type { UserFilters } from '@benchwatch/contract/users'
import type { InstrumentFilterCategory } from '@benchwatch/contract/vocabulary'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type OfferedCategory, offeredOptions } from '../../../lib/list/filter-options.ts'
import { FilterPanel } from '../../../ui/list/filters/filter-panel.tsx'
import { FilterDataNotice } from '../../../ui/text/notice.tsx'
import { filtersQuery } from '../../users/users.api.ts'
import { type InstrumentFilterChoice, instrumentFilters } from '../instruments.search.ts'
import { filterValueLabel } from './instrument-view.ts'

/** The content of the filter dropdown: every category with the values in the user's data scope. */
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

/** Returns every category with its options. */
export function offeredCategories(input: {
  filterData: UserFilters['instrumentSummaryFilter'] | undefined
  chosen: InstrumentFilterChoice
  chosenBefore: InstrumentFilterChoice
}): OfferedCategory<InstrumentFilterCategory>[] {
  return offeredOptions(instrumentFilters, { ...input, labelOf: filterValueLabel })
}
