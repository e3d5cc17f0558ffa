import type { LiveState } from '@benchwatch/client/live-messages'
import {
  ActionIcon,
  Box,
  Button,
  Flex,
  Group,
  Text,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core'
import { IconMoon, IconSun } from '@tabler/icons-react'
import { Link, useMatchRoute } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { pageSettings } from '../../lib/page-settings.ts'
import { useSession } from '../../lib/session/session.ts'
import { useLive } from '../live/live-provider.tsx'
import { PaletteButton } from '../palette/palette-button.tsx'
import styles from './header.module.css'

const labels: Record<LiveState['state'], string> = { live: 'Live', connecting: 'Connecting…', offline: 'Offline' }

// Loaded lazily: the login has no menu.
const UserMenu = lazy(() => import('./user-menu.tsx').then((file) => ({ default: file.UserMenu })))

/** Shows logo and name, the live indicator, and the user menu or the Login link. */
export function Header({ product }: { product: string }) {
  const { status, user } = useSession()
  const isLogin = useMatchRoute()({ to: '/login' }) !== false
  return (
    <Group component="header" justify="space-between" wrap="nowrap" gap={12} className={styles.header}>
      <Group
        wrap="nowrap"
        gap={12}
        miw={0}
        c="bright"
        fz={15.5}
        fw={650}
        td="none"
        renderRoot={(root) => <Link {...root} to="/events" aria-label={`${product}: service events`} />}
      >
        <Logo />
        <Text span inherit truncate className={styles.product}>
          {product}
        </Text>
      </Group>
      <Flex align="center" gap={{ base: 0, md: 8 }} flex="none">
        {status === 'signed-in' && <LiveIndicator />}
        {status === 'signed-in' && <PaletteButton />}
        <ThemeSwitch />
        {user !== null && (
          <Suspense fallback={<PersonPlace name={user.userName} />}>
            <UserMenu user={user} />
          </Suspense>
        )}
        {status === 'anonymous' && !isLogin && (
          <Button variant="subtle" renderRoot={(root) => <Link {...root} to="/login" />}>
            Login
          </Button>
        )}
      </Flex>
    </Group>
  )
}

/** Shows the deployment's own logo, or the product's. */
function Logo() {
  const { logo } = pageSettings()
  if (logo !== null)
    return <Box component="img" src={logo} alt="" h={26} maw="min(120px, 17vw)" style={{ objectFit: 'contain' }} />
  return (
    <svg className={styles.logo} width={26} height={26} viewBox="0 0 28 28" aria-hidden="true">
      <rect width="28" height="28" rx="8" />
      <path d="M5.5 15.5h4l2.6-7 4 11.5 2.7-7.2 1.1 2.7h2.6" />
    </svg>
  )
}

function ThemeSwitch() {
  const { setColorScheme } = useMantineColorScheme()
  const isDark = useComputedColorScheme('light') === 'dark'
  const label = isDark ? 'Switch to light theme' : 'Switch to dark theme'
  return (
    <ActionIcon
      size="var(--bw-control)"
      aria-label={label}
      title={label}
      onClick={() => setColorScheme(isDark ? 'light' : 'dark')}
    >
      {isDark ? <IconSun size={18} stroke={1.7} /> : <IconMoon size={18} stroke={1.7} />}
    </ActionIcon>
  )
}

/** As wide as the menu button, so that the header does not move when the menu loads. */
function PersonPlace({ name }: { name: string }) {
  return (
    <span className={styles.person} aria-hidden="true">
      <span className={styles.initials} />
      <Group component="span" gap={9} visibleFrom="md">
        {name}
        <Box component="span" w={14} />
      </Group>
    </span>
  )
}

/** Shows whether the page is live, and if not, how old its data are. Screen readers hear changes, not the ticking age. */
function LiveIndicator() {
  const { state, lastMessageAt, retryNow } = useLive()
  const now = useSeconds()
  const age = state === 'live' || lastMessageAt === null ? null : readableAge(Math.max(0, now - lastMessageAt))
  return (
    <Group gap={0} wrap="nowrap" mr={4} c="dimmed" fz={12.5} className={styles.indicator} data-state={state}>
      <span className={styles.dot} aria-hidden="true" />
      <span role="status">{labels[state]}</span>
      {age !== null && (
        <Text span inherit miw="5ch" ml={4}>
          <Box component="span" visibleFrom="md">
            {' '}
            · last message{' '}
          </Box>
          {age} ago
        </Text>
      )}
      {state === 'offline' && (
        <Button variant="default" size="compact-xs" h={26} ml={8} onClick={retryNow}>
          Reconnect
        </Button>
      )}
    </Group>
  )
}

/** Formats an age coarsely, e.g. '2 s', '3 min', '1 h': it only indicates how far to trust the page. */
export function readableAge(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000)
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`
  return `${Math.floor(seconds / 3600)} h`
}

function useSeconds(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return now
}
