import type { UserFilters } from '@benchwatch/contract/users'
import type { InstrumentFilterCategory } from '@benchwatch/contract/vocabulary'
import { type OfferedCategory, offeredOptions } from '../../lib/filter-options.ts'
import { filterValueLabel } from './instrument-filter.ts'
import { type InstrumentFilterChoice, instrumentFilters } from './instruments.search.ts'

/** Every category with what can be chosen in it. */
export function offeredCategories(input: {
  filterData: UserFilters['instrumentSummaryFilter'] | undefined
  chosen: InstrumentFilterChoice
  chosenBefore: InstrumentFilterChoice
}): OfferedCategory<InstrumentFilterCategory>[] {
  return offeredOptions(instrumentFilters, { ...input, labelOf: filterValueLabel })
}
