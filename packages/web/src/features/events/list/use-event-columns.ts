import { useQuery } from '@tanstack/react-query'
import { readColumnKeys } from '../../../ui/list/column-model.ts'
import { featuresQuery } from '../../users/users.api.ts'
import { defaultEventSearch, type EventSearch } from '../events.search.ts'
import { eventColumns } from './event-list.columns.ts'

type EventColumns = typeof eventColumns

const withoutEmail: EventColumns = { ...eventColumns, all: eventColumns.all.filter(({ key }) => key !== 'email') }

/** The columns there are for this person: that of e-mails with AUTO_EMAIL alone. Until flags are read, all: most have it. */
export function useEventColumns(): EventColumns {
  const { data: on } = useQuery(featuresQuery())
  return on === undefined || on.includes('AUTO_EMAIL') ? eventColumns : withoutEmail
}

type TableSearch = Pick<EventSearch, 'columns' | 'order' | 'orderBy'>

/** Order and choice of columns as far as they are there: an address or a view may name one that is not. */
export function withinColumns(search: TableSearch, columns: EventColumns): TableSearch {
  const isThere = columns.all.some(({ orderBy }) => orderBy === search.orderBy)
  const { order, orderBy } = isThere ? search : defaultEventSearch
  return { order, orderBy, columns: readColumnKeys(columns, search.columns ?? []) }
}
