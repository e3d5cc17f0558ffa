import {
  type InstrumentFilterCategory,
  type InstrumentType,
  instrumentFilterCategories,
  instrumentTypeLabels,
  type MaintenanceState,
} from '@benchwatch/contract/vocabulary'
import { type FilterChip, filterChip } from '../../ui/filter-chips.tsx'
import type { InstrumentSearch } from './instruments.search.ts'
import { serviceWords } from './list-next-service.ts'

/** How filter categories of instruments and their values read, in the panel and on chips. */

const maintenanceWords: Record<MaintenanceState, string> = { on: 'On', scheduled: 'Scheduled', none: 'None' }
const truthWords: Record<string, string> = { true: 'Yes', false: 'No' }

/** What a person reads for a value; the value itself where it is a name already. */
export function filterValueLabel(category: InstrumentFilterCategory, value: string): string {
  switch (category) {
    case 'instrumentType':
      return instrumentTypeLabels[value as InstrumentType] ?? value
    case 'maintenance':
      return maintenanceWords[value as MaintenanceState] ?? value
    case 'qualifiedSystem':
      return truthWords[value] ?? value
    default:
      return value
  }
}

/** What narrows the list besides search and family: the filters, and the days of the next service. */
export type ChipKey = InstrumentFilterCategory | 'nextService'

export function appliedFilters(search: Pick<InstrumentSearch, 'filter' | 'start' | 'stop'>): FilterChip<ChipKey>[] {
  const chips = instrumentFilterCategories.flatMap(({ key, label }): FilterChip<ChipKey>[] => {
    const labels = (search.filter[key] ?? []).map((value) => filterValueLabel(key, value))
    return labels.length === 0 ? [] : [filterChip(key, label, labels)]
  })
  const days = serviceWords(search)
  return days === null ? chips : [...chips, filterChip('nextService', 'Next service', [days])]
}
