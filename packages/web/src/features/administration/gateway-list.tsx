import { limits } from '@benchwatch/contract/vocabulary'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ListSearch, writeListSearch } from '../../lib/list/list-address.ts'
import { formatEventTime } from '../../lib/time/dates.ts'
import type { Column } from '../../ui/list/list-columns.ts'
import { ListFrame } from '../../ui/list/list-frame.tsx'
import { EmptyState } from '../../ui/text/notice.tsx'
import { type RegistryObject, registryListQuery } from '../registry/registry.api.ts'

/** Gateways, each linked to its keys. */
export function GatewayList({ search, onSearch }: { search: ListSearch; onSearch: (search: ListSearch) => void }) {
  const gateways = useQuery(registryListQuery('gateways', search))
  return (
    <ListFrame
      searchLabel="Search gateways"
      keywordLength={limits.keyword}
      search={search}
      onSearch={onSearch}
      label="Gateways"
      columns={columnsFor(search)}
      rowKey={({ key }) => key}
      answer={gateways}
      failureTitle="Could not get gateways"
      empty={
        search.keyword === '' ? (
          <EmptyState title="No gateways yet">Register a gateway under Registry, then create its key here.</EmptyState>
        ) : (
          <EmptyState title="No gateways found">No gateway name or site contains “{search.keyword}”.</EmptyState>
        )
      }
    />
  )
}

const columnsFor = (search: ListSearch): Column<RegistryObject>[] => [
  {
    key: 'name',
    label: 'Gateway',
    grow: 1.4,
    cell: ({ key }) => (
      <Link to="/administration/gateways/$gateway" params={{ gateway: key }} search={writeListSearch(search)}>
        {key}
      </Link>
    ),
  },
  { key: 'site', label: 'Site', grow: 1.2, cell: ({ site }) => site },
  { key: 'location', label: 'Location', grow: 1.6, cell: ({ location }) => location ?? '–' },
  {
    key: 'product',
    label: 'Installed product ID',
    grow: 1.2,
    cell: ({ installedProductId }) => installedProductId,
  },
  {
    key: 'seen',
    label: 'Last seen',
    grow: 1.2,
    cell: ({ lastSeenAt }) => (typeof lastSeenAt === 'string' ? formatEventTime(lastSeenAt) : 'Never'),
  },
]
