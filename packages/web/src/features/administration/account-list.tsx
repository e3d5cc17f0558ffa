import type { Account } from '@benchwatch/contract/administration/administration'
import { limits } from '@benchwatch/contract/vocabulary'
import { Text } from '@mantine/core'
import { IconUserPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ListSearch, writeListSearch } from '../../lib/list/list-address.ts'
import { formatEventTime } from '../../lib/time/dates.ts'
import type { Column } from '../../ui/list/list-columns.ts'
import { ListFrame } from '../../ui/list/list-frame.tsx'
import { LinkButton } from '../../ui/overlay/blocked-button.tsx'
import { EmptyState } from '../../ui/text/notice.tsx'
import { StatusMark } from '../../ui/text/status-mark.tsx'
import { accountName, accountState, roleLabels, scopeLabel, secondFactorLabel } from './account-form.ts'
import { accountsQuery } from './administration.api.ts'

/** Users by name. The list shows `search`, which the address contains. */
export function AccountList({ search, onSearch }: { search: ListSearch; onSearch: (search: ListSearch) => void }) {
  const accounts = useQuery(accountsQuery(search))
  return (
    <ListFrame
      searchLabel="Search users"
      keywordLength={limits.keyword}
      search={search}
      onSearch={onSearch}
      label="Users"
      columns={columnsFor(search)}
      rowKey={({ id }) => id}
      answer={accounts}
      failureTitle="Could not get users"
      actions={
        <LinkButton
          to="/administration/users/new"
          search={writeListSearch(search)}
          leftSection={<IconUserPlus size={16} stroke={1.7} aria-hidden="true" />}
        >
          Invite user
        </LinkButton>
      }
      empty={
        <EmptyState title="No users found">
          No name or e-mail address contains “{search.keyword}”. Try a shorter search, or invite the user.
        </EmptyState>
      }
    />
  )
}

const columnsFor = (search: ListSearch): Column<Account>[] => [
  {
    key: 'name',
    label: 'Name',
    grow: 3.2,
    cell: (account) => (
      <>
        <Link to="/administration/users/$userId" params={{ userId: account.id }} search={writeListSearch(search)}>
          {accountName(account)}
        </Link>
        {account.name !== null && (
          <Text size="xs" c="dimmed">
            {account.userId}
          </Text>
        )}
      </>
    ),
  },
  { key: 'role', label: 'Role', grow: 1.1, cell: ({ role }) => roleLabels[role] },
  { key: 'customers', label: 'Customers', grow: 1.6, cell: ({ customers }) => scopeLabel(customers) },
  { key: 'factor', label: 'Second factor', cell: secondFactorLabel },
  {
    key: 'state',
    label: 'State',
    cell: (account) => {
      const { tone, label } = accountState(account)
      return <StatusMark tone={tone}>{label}</StatusMark>
    },
  },
  {
    key: 'signedIn',
    label: 'Last signed in',
    grow: 1.4,
    cell: ({ lastSignedInAt }) => (lastSignedInAt === null ? 'Never' : formatEventTime(lastSignedInAt)),
  },
]
