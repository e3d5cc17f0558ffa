import { Box } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { AccountList } from '../../features/administration/account-list.tsx'
import { AccountPage, InviteUser } from '../../features/administration/account-page.tsx'
import { meQuery } from '../../features/users/users.api.ts'
import { readListSearch, writeListSearch } from '../../lib/list/list-address.ts'
import { Breadcrumb, PageHeader } from '../../ui/layout/page-frame.tsx'

/** /administration/users: user accounts. The list's address is kept next to the opened user, to lead back. */
export function UsersScreen() {
  const search = readListSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  return (
    <>
      <PageHeader title="Users" note="Who can sign in, and what they can see and do." />
      <AccountList
        search={search}
        onSearch={(next) => void navigate({ to: '/administration/users', search: writeListSearch(next) })}
      />
    </>
  )
}

/** /administration/users/new */
export function NewUserScreen() {
  const search: Record<string, string> = useSearch({ strict: false })
  const navigate = useNavigate()
  return (
    <>
      <PageHeader crumbs={<UsersCrumbs at="Invite" />} title="Invite a user" />
      <Box maw={980}>
        <InviteUser
          onInvited={(userId) =>
            void navigate({ to: '/administration/users/$userId', params: { userId }, search, ignoreBlocker: true })
          }
          onCancel={() => void navigate({ to: '/administration/users', search })}
        />
      </Box>
    </>
  )
}

/** /administration/users/{id} */
export function UserScreen() {
  const { userId = '' } = useParams({ strict: false })
  const ownId = useQuery(meQuery()).data?.id ?? ''
  return <AccountPage id={userId} ownId={ownId} crumbs={<UsersCrumbs at="User" />} />
}

function UsersCrumbs({ at }: { at: string }) {
  const search: Record<string, string> = useSearch({ strict: false })
  return (
    <Breadcrumb
      link={
        <Link to="/administration/users" search={search} activeOptions={{ exact: true }}>
          Users
        </Link>
      }
      current={at}
    />
  )
}
