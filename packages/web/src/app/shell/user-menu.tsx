import type { SessionUser } from '@benchwatch/contract/users/auth'
import { Box, Group, Menu, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconBell, IconChevronDown, IconLogout, IconSettings, IconShieldCog, IconTools } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { mayEnterBackoffice } from '../../features/backoffice/backoffice-parts.ts'
import { featuresQuery, meQuery } from '../../features/users/users.api.ts'
import { versionQuery } from '../../lib/page-settings.ts'
import { signOut } from '../../lib/session/session.ts'
import { confirm } from '../../ui/overlay/confirm.tsx'
import { showFailure } from '../../ui/overlay/toasts.ts'
import styles from './header.module.css'

/**
 * Shows the signed-in user, links to Settings, Notifications, Administration (administrators) and Back office (by
 * flag), Logout, version and environment.
 */
export function UserMenu({ user }: { user: SessionUser }) {
  const { data: me } = useQuery(meQuery())
  const { data: features } = useQuery(featuresQuery())
  const { data: running } = useQuery(versionQuery())
  return (
    <Menu position="bottom-end" width={260} withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <UnstyledButton className={styles.person}>
          <VisuallyHidden>{user.userName}, user menu</VisuallyHidden>
          <span className={styles.initials} aria-hidden="true">
            {initials(user.userName)}
          </span>
          <Group component="span" gap={9} visibleFrom="md" aria-hidden="true">
            {user.userName}
            <IconChevronDown size={14} stroke={1.8} aria-hidden="true" />
          </Group>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Box p="8px 12px 10px" lh={1.35}>
          <Text size="md" lh="inherit" fw={620}>
            {user.userName}
          </Text>
          <Text size="xs" lh="inherit" c="dimmed" truncate>
            {user.mail}
          </Text>
        </Box>
        <Menu.Divider />
        <Menu.Item component={Link} to="/settings" leftSection={<IconSettings size={16} stroke={1.7} />}>
          Settings
        </Menu.Item>
        <Menu.Item component={Link} to="/notifications" leftSection={<IconBell size={16} stroke={1.7} />}>
          Notifications
        </Menu.Item>
        {me?.role === 'admin' && (
          <Menu.Item component={Link} to="/administration" leftSection={<IconShieldCog size={16} stroke={1.7} />}>
            Administration
          </Menu.Item>
        )}
        {me !== undefined && features !== undefined && mayEnterBackoffice(me.role, features) && (
          <Menu.Item component={Link} to="/backoffice" leftSection={<IconTools size={16} stroke={1.7} />}>
            Back office
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconLogout size={16} stroke={1.7} />} onClick={() => void askToSignOut()}>
          Logout
        </Menu.Item>
        {running !== undefined && (
          <>
            <Menu.Divider />
            <Text fz={11.5} c="var(--bw-ink-3)" p="6px 12px 4px">
              Version {running.version} · {running.environment}
            </Text>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

/** Asks, then signs out. */
export async function askToSignOut(): Promise<void> {
  if (!(await confirm({ message: 'Are you sure you want to log out?', confirmLabel: 'Logout' }))) return
  try {
    await signOut()
  } catch {
    showFailure({
      title: 'The server did not receive the logout',
      message: 'You are logged out in this browser. The server will be informed when you next open the console.',
    })
  }
}

/** Returns the first letters of the first and last word, e.g. 'AL' for 'Anna Lind'. */
export function initials(name: string): string {
  const words = name.split(/[\s.@_-]+/).filter((word) => /^\p{L}/u.test(word))
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]]
  return letters.map((word) => [...(word ?? '?')][0]?.toUpperCase()).join('')
}
