import { Link, Outlet } from '@tanstack/react-router'
import { PageHeader } from '../ui/layout/page-frame.tsx'
import { PartLinks } from '../ui/layout/part-links.tsx'
import styles from './settings.module.css'

/** What people come here for first: what they are told. Each part has an address of its own. */
const parts = [
  { to: '/settings', label: 'Notifications' },
  { to: '/settings/account', label: 'Account and sign-in' },
] as const

/** /settings: the frame of its parts. */
export function SettingsScreen() {
  return (
    <div className={styles.page}>
      <PageHeader title="Settings" />
      <PartLinks label="Settings">
        {parts.map(({ to, label }) => (
          <Link key={to} to={to} activeProps={{ 'aria-current': 'page' }} activeOptions={{ exact: true }}>
            {label}
          </Link>
        ))}
      </PartLinks>
      <Outlet />
    </div>
  )
}
