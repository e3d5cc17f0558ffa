import { limits } from '@benchwatch/contract/vocabulary'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ListSearch, writeListSearch } from '../../lib/list/list-address.ts'
import { formatEventTime } from '../../lib/time/dates.ts'
import { DataTable, type TableColumn } from '../../ui/list/data-table.tsx'
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
      list={gateways}
      failureTitle="Could not get gateways"
      empty={
        search.keyword === '' ? (
          <EmptyState title="No gateways yet">Register a gateway under Registry, then create its key here.</EmptyState>
        ) : (
          <EmptyState title="No gateways found">No gateway name or site contains “{search.keyword}”.</EmptyState>
        )
      }
    >
      <DataTable
        label="Gateways"
        columns={columnsFor(search)}
        rows={gateways.data?.values}
        rowKey={({ key }) => key}
        isStale={gateways.isPlaceholderData}
      />
    </ListFrame>
  )
}

const columnsFor = (search: ListSearch): TableColumn<RegistryObject>[] => [
  {
    key: 'name',
    label: 'Gateway',
    width: '1.4fr',
    cell: ({ key }) => (
      <Link to="/administration/gateways/$gateway" params={{ gateway: key }} search={writeListSearch(search)}>
        {key}
      </Link>
    ),
  },
  { key: 'site', label: 'Site', width: '1.2fr', cell: ({ site }) => site },
  { key: 'location', label: 'Location', width: '1.6fr', cell: ({ location }) => location ?? '–' },
  {
    key: 'product',
    label: 'Installed product ID',
    width: '1.2fr',
    cell: ({ installedProductId }) => installedProductId,
  },
  {
    key: 'seen',
    label: 'Last seen',
    width: '1.2fr',
    cell: ({ lastSeenAt }) => (typeof lastSeenAt === 'string' ? formatEventTime(lastSeenAt) : 'Never'),
  },
]
