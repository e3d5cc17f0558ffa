import type { KpiMeasure } from '@benchwatch/contract/kpi-vocabulary'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { KpiDays } from '../features/kpi/kpi-question.ts'
import { call } from '../lib/http.ts'

/** Figures of the last minutes are good enough: a table may count a year of events. */
const FRESH_MS = 5 * 60_000

export interface AskedTables extends KpiDays {
  /** None: all of the scope. */
  customers: readonly string[]
}

export function kpiTableQuery(measure: KpiMeasure, { from, to, customers }: AskedTables) {
  return queryOptions({
    queryKey: ['kpi-table', measure, from, to, customers] as const,
    queryFn: ({ signal }) => {
      const narrowed = customers.length > 0 && { customers: JSON.stringify(customers) }
      return call('getKpiTable', { params: { measure }, query: { from, to, ...narrowed }, signal })
    },
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
  })
}

export function kpiCustomersQuery() {
  return queryOptions({
    queryKey: ['kpi-customers'] as const,
    queryFn: ({ signal }) => call('listKpiCustomers', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
}
