import type { InstrumentTypes } from '@benchwatch/contract/instruments/instruments'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from './http.ts'
import type { FilterVocabulary } from './list/filter-choice.ts'

/** The instrument types and families that the registry knows, with their labels. They are loaded after sign-in. */

/** Undefined until they are read. */
export type KnownTypes = InstrumentTypes | undefined

/** A type added elsewhere shows its label a minute later, whenever another screen opens. */
export function instrumentTypesQuery() {
  return queryOptions({
    queryKey: ['instrument-types'],
    queryFn: ({ signal }) => call('listInstrumentTypes', { signal }),
    staleTime: 60_000,
  })
}

export function useInstrumentTypes(): KnownTypes {
  const { data, isError } = useQuery(instrumentTypesQuery())
  // If they cannot be read, labels must not wait for them forever.
  return data ?? (isError ? NONE : undefined)
}

const NONE: InstrumentTypes = { types: [], families: [] }

/** Returns the label of a type, whatever the case of its key; the key itself if the registry lacks it. */
export function typeLabel(known: KnownTypes, key: string): string {
  if (known === undefined) return '…'
  return known.types.find((type) => type.key.toLowerCase() === key.toLowerCase())?.label ?? key
}

/** Returns the label of a family. Its key reads well enough to be shown until the label is known. */
export function familyLabel(known: KnownTypes, key: string): string {
  return known?.families.find((family) => family.key === key)?.label ?? key
}

/** Adds the known types to the values that a list's filters offer before the filter data arrive. */
export function withTypes<C extends string>(filters: FilterVocabulary<C>, known: KnownTypes): FilterVocabulary<C> {
  return { ...filters, closed: { ...filters.closed, instrumentType: known?.types.map(({ key }) => key) ?? [] } }
}
