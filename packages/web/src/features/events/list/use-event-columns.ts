import { useQuery } from '@tanstack/react-query'
import { readColumnKeys } from '../../../ui/list/columns/column-model.ts'
import { featuresQuery } from '../../users/users.api.ts'
import { defaultEventSearch, type EventSearch } from '../events.search.ts'
import { eventColumns } from './event-list.columns.ts'

type EventColumns = typeof eventColumns

const withoutEmail: EventColumns = { ...eventColumns, all: eventColumns.all.filter(({ key }) => key !== 'email') }

/**
 * Returns the columns available to this user: the e-mail column needs AUTO_EMAIL. Until flags are read, all columns
 * are returned, as most users have it.
 */
export function useEventColumns(): EventColumns {
  const { data: on } = useQuery(featuresQuery())
  return on === undefined || on.includes('AUTO_EMAIL') ? eventColumns : withoutEmail
}

type TableSearch = Pick<EventSearch, 'columns' | 'order' | 'orderBy'>

/** Keeps only available columns in order and selection: an address or a view may name others. */
export function withinColumns(search: TableSearch, columns: EventColumns): TableSearch {
  const isThere = columns.all.some(({ orderBy }) => orderBy === search.orderBy)
  const { order, orderBy } = isThere ? search : defaultEventSearch
  return { order, orderBy, columns: readColumnKeys(columns, search.columns ?? []) }
}
