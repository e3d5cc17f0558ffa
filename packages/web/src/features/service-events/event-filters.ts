import {
  type AlertStatus,
  alertStatuses,
  alertStatusLabels,
  type EventFilterCategory,
  eventFilterCategories,
  severities,
} from '@benchwatch/contract/vocabulary'
import type { EventFilterChoice } from './service-events.search.ts'

/**
 * Which filter categories the panel offers, and how their values read. A further category is one more line in
 * `offered`; its values come from here where the list is closed, else from the caller's filter data.
 */

export interface FilterOption {
  value: string
  label: string
}

export interface OfferedCategory {
  key: EventFilterCategory
  label: string
  options: FilterOption[]
}

const severityWords: Record<string, string> = { high: 'High', medium: 'Medium', low: 'Low' }

const offered: Partial<Record<EventFilterCategory, FilterOption[]>> = {
  alertStatus: alertStatuses.map((value) => ({ value, label: alertStatusLabels[value] })),
  severity: severities.map((value) => ({ value, label: severityWords[value] ?? value })),
}

export const offeredCategories: readonly OfferedCategory[] = eventFilterCategories.flatMap(({ key, label }) => {
  const options = offered[key]
  return options === undefined ? [] : [{ key, label, options }]
})

/** One chip per category that is filtered by, also for those that only an address names. */
export function appliedFilters(filter: EventFilterChoice): { key: EventFilterCategory; label: string; text: string }[] {
  return eventFilterCategories.flatMap(({ key, label }) => {
    const values = filter[key]
    return values?.length ? [{ key, label, text: values.map((value) => valueLabel(key, value)).join(', ') }] : []
  })
}

function valueLabel(category: EventFilterCategory, value: string): string {
  if (category === 'alertStatus') return alertStatusLabels[value as AlertStatus] ?? value
  if (category === 'severity') return severityWords[value] ?? value
  return value
}
