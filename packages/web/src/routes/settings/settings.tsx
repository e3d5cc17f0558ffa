import { Stack } from '@mantine/core'
import { Link, Outlet } from '@tanstack/react-router'
import { PageHeader, PartLinks } from '../../ui/layout/page-frame.tsx'

/** Parts of the settings, the most visited first, each with an address of its own. */
const parts = [
  { to: '/settings', label: 'Notifications' },
  { to: '/settings/account', label: 'Account and sign-in' },
  { to: '/settings/webhooks', label: 'Webhooks' },
] as const

/** /settings: the layout shared by its parts. */
export function SettingsScreen() {
  return (
    <Stack gap={14}>
      <PageHeader title="Settings" />
      <PartLinks label="Settings">
        {parts.map(({ to, label }) => (
          <Link key={to} to={to} activeProps={{ 'aria-current': 'page' }} activeOptions={{ exact: true }}>
            {label}
          </Link>
        ))}
      </PartLinks>
      <Outlet />
    </Stack>
  )
}
