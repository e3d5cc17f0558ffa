import { contractClocks } from '@benchwatch/contract/vocabulary'
import {
  defaultEventSearch,
  type EventSearch,
  openStatuses,
  THE_BEGINNING,
  writeEventSearch,
} from '../features/events/events.search.ts'
import type { KpiTableInputs, TableRow } from './table-rows.ts'

/** The events behind a figure or a bar, as an address of the event list. The console shows them. */
export type EventsBehind = Record<string, string>

const DAY_MS = 86_400_000

/** Ages in days, from and up to, by the name of a band. */
const ages: Readonly<Record<string, readonly [from: number, to: number | null]>> = {
  'Below 1 day': [0, 1],
  '1 to 7 days': [1, 7],
  '7 to 30 days': [7, 30],
  '30 days and more': [30, null],
}

function behind(part: Partial<EventSearch>, { customers }: Pick<KpiTableInputs, 'customers'>): EventsBehind {
  const ofCustomers = customers.length > 0 && { enterpriseName: [...customers] }
  const filter = { ...ofCustomers, ...part.filter }
  return writeEventSearch({ ...defaultEventSearch, ...part, filter, temporaryFilters: true })
}

/** Returns the events that were created on the days of the dashboard, narrowed further. */
export function createdThen(query: KpiTableInputs, part: Partial<EventSearch> = {}): EventsBehind {
  return behind({ ...daysBetween(query.from, query.to), ...part }, query)
}

/** Returns the events that were created on these days: UTC, both included. */
export function createdOn(query: KpiTableInputs, day: string, days: number): EventsBehind {
  const last = new Date(Date.parse(day) + (days - 1) * DAY_MS).toISOString().slice(0, 10)
  return createdThen(query, daysBetween(day, last))
}

function daysBetween(from: string, to: string): Pick<EventSearch, 'start' | 'stop'> {
  return {
    start: new Date(from).toISOString(),
    stop: new Date(Date.parse(to) + DAY_MS).toISOString(),
  }
}

/** Returns the open events, of any age or of the band with this name. */
export function openNow(query: KpiTableInputs, now: number, age?: string): EventsBehind {
  const [from, to] = ages[age ?? ''] ?? [0, null]
  const ago = (days: number) => new Date(now - days * DAY_MS).toISOString()
  const start = to === null ? THE_BEGINNING : ago(to)
  return behind({ filter: { alertStatus: [...openStatuses] }, start, stop: from === 0 ? null : ago(from) }, query)
}

export function ofCustomer(row: TableRow, query: KpiTableInputs): EventsBehind {
  return createdThen(query, { filter: { enterpriseName: [row.text('customer')] } })
}

/** Returns the events under a 24-hour contract, of all customers or of one. */
export function contractsOf(query: KpiTableInputs, customer?: string): EventsBehind {
  const ofCustomer = customer !== undefined && { enterpriseName: [customer] }
  return createdThen(query, { filter: { contractClock: [...contractClocks], ...ofCustomer } })
}

export function closedFor(row: TableRow, query: KpiTableInputs): EventsBehind {
  return createdThen(query, { filter: { reasonClosed: [row.text('reason')] } })
}

/** Searches for the text of the column: the list has no filter for it. */
export const searched =
  (column: string) =>
  (row: TableRow, query: KpiTableInputs): EventsBehind =>
    createdThen(query, { keyword: row.text(column) })
