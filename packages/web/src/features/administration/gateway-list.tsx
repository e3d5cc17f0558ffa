import type { ConnectedGateway } from '@benchwatch/contract/administration/administration'
import { limits } from '@benchwatch/contract/vocabulary'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { counted } from '../../lib/folded.ts'
import { type ListSearch, writeListSearch } from '../../lib/list/list-address.ts'
import type { Column } from '../../ui/list/list-columns.ts'
import { ListFrame } from '../../ui/list/list-frame.tsx'
import { EmptyState } from '../../ui/text/notice.tsx'
import { StatusMark } from '../../ui/text/status-mark.tsx'
import { useNow } from '../../ui/time/use-now.ts'
import { gatewaysQuery } from './administration.api.ts'
import { Ago, isSilent, sourcesTone } from './gateway-sources.tsx'

/** Gateways with their last report, each linked to its page. */
export function GatewayList({ search, onSearch }: { search: ListSearch; onSearch: (search: ListSearch) => void }) {
  const gateways = useQuery(gatewaysQuery(search))
  const now = useNow()
  return (
    <ListFrame
      searchLabel="Search gateways"
      keywordLength={limits.keyword}
      search={search}
      onSearch={onSearch}
      label="Gateways"
      columns={columnsFor(search, now)}
      rowKey={({ name }) => name}
      answer={gateways}
      failureTitle="Could not get gateways"
      empty={
        search.keyword === '' ? (
          <EmptyState title="No gateways yet">Register a gateway under Registry, then create its key here.</EmptyState>
        ) : (
          <EmptyState title="No gateways found">
            No gateway name, site, customer or location contains “{search.keyword}”.
          </EmptyState>
        )
      }
    />
  )
}

const columnsFor = (search: ListSearch, now: number): Column<ConnectedGateway>[] => [
  {
    key: 'name',
    label: 'Gateway',
    grow: 1.3,
    cell: ({ name }) => (
      <Link to="/administration/gateways/$gateway" params={{ gateway: name }} search={writeListSearch(search)}>
        {name}
      </Link>
    ),
  },
  {
    key: 'site',
    label: 'Site',
    grow: 2.6,
    cell: ({ customer, site, location }) => (
      <div>
        <bdi>{customer}</bdi>
        <Text size="xs" c="dimmed">
          {[site, location].filter(Boolean).join(' · ')}
        </Text>
      </div>
    ),
  },
  {
    key: 'contact',
    label: 'Last contact',
    cell: ({ lastContactAt }) =>
      isSilent(lastContactAt, now) ? (
        // One that was just registered has nothing to report yet.
        <StatusMark tone={lastContactAt === null ? 'waiting' : 'lost'}>
          <Ago at={lastContactAt} now={now} />
        </StatusMark>
      ) : (
        <Ago at={lastContactAt} now={now} />
      ),
  },
  {
    key: 'sources',
    label: 'Sources',
    cell: ({ sources, sourcesDown, lastContactAt }) =>
      sources === 0 ? (
        '–'
      ) : (
        <StatusMark tone={sourcesTone({ sources, sourcesDown, lastContactAt }, now)}>
          {counted(sources, 'source')}
          {sourcesDown > 0 && `, ${sourcesDown} down`}
          {isSilent(lastContactAt, now) && ', silent'}
        </StatusMark>
      ),
  },
  {
    key: 'unmatched',
    label: 'Unmatched',
    grow: 0.7,
    isNumber: true,
    cell: ({ unmatched }) => unmatched.toLocaleString('en'),
  },
  {
    key: 'backlog',
    label: 'Backlog',
    grow: 0.7,
    isNumber: true,
    cell: ({ backlog }) => backlog?.toLocaleString('en') ?? '–',
  },
  { key: 'version', label: 'Version', grow: 0.7, cell: ({ version }) => version ?? '–' },
]
