import { Box, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, Outlet } from '@tanstack/react-router'
import { meQuery } from '../../features/users/users.api.ts'
import { PartLinks } from '../../ui/layout/page-frame.tsx'
import { FailedQuery } from '../../ui/text/notice.tsx'
import { ForbiddenScreen } from '../forbidden.tsx'

/** Parts of the administration area, each with an address of its own. */
const parts = [
  { to: '/administration/users', label: 'Users' },
  { to: '/administration/features', label: 'Flags' },
  { to: '/administration/gateways', label: 'Gateways' },
  { to: '/administration/tokens', label: 'API tokens' },
  { to: '/administration/registry', label: 'Registry' },
  { to: '/administration/support-emails', label: 'Support e-mails' },
  { to: '/administration/connection-events', label: 'Connection events' },
] as const

/** /administration: for administrators; forbidden for other users, at once if the role is withdrawn. */
export function AdministrationScreen() {
  const me = useQuery(meQuery())
  if (me.data === undefined)
    return me.isPending ? <Box mih="60vh" aria-busy="true" /> : <FailedQuery title="Could not get user" query={me} />
  if (me.data.role !== 'admin') return <ForbiddenScreen reason="role" />
  return (
    <Stack gap={14}>
      <PartLinks label="Administration">
        {parts.map(({ to, label }) => (
          <Link key={to} to={to} activeProps={{ 'aria-current': 'page' }} activeOptions={{ includeSearch: false }}>
            {label}
          </Link>
        ))}
      </PartLinks>
      <Outlet />
    </Stack>
  )
}
