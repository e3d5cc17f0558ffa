import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { IconMoon, IconSun } from '@tabler/icons-react'
import { Link, useMatchRoute } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { pageSettings } from '../../lib/page-settings.ts'
import { useSession } from '../../lib/session/session.ts'
import { useLive } from '../live/live-provider.tsx'
import type { LiveState } from '../live/live-store.ts'
import styles from './header.module.css'

const labels: Record<LiveState['state'], string> = { live: 'Live', connecting: 'Connecting…', offline: 'Offline' }

// Loaded lazily: the login has no menu.
const UserMenu = lazy(() => import('./user-menu.tsx').then((file) => ({ default: file.UserMenu })))

/** Shows logo and name, the live indicator, and the user menu or the Login link. */
export function Header({ product }: { product: string }) {
  const { status, user } = useSession()
  const isLogin = useMatchRoute()({ to: '/login' }) !== false
  return (
    <header className={styles.header}>
      <Link to="/events" className={styles.brand} aria-label={`${product}: service events`}>
        <Logo />
        <span className={styles.product}>{product}</span>
      </Link>
      <div className={styles.end}>
        {status === 'signed-in' && <LiveIndicator />}
        <ThemeSwitch />
        {user !== null && (
          <Suspense fallback={<PersonPlace name={user.userName} />}>
            <UserMenu user={user} />
          </Suspense>
        )}
        {status === 'anonymous' && !isLogin && (
          <Link to="/login" className={styles.login}>
            Login
          </Link>
        )}
      </div>
    </header>
  )
}

/** Shows the deployment's own logo, or the product's. */
function Logo() {
  const { logo } = pageSettings()
  if (logo !== null) return <img className={styles.picture} src={logo} alt="" />
  return (
    <svg className={styles.logo} viewBox="0 0 28 28" aria-hidden="true">
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
    <ActionIcon size={34} aria-label={label} title={label} onClick={() => setColorScheme(isDark ? 'light' : 'dark')}>
      {isDark ? <IconSun size={18} stroke={1.7} /> : <IconMoon size={18} stroke={1.7} />}
    </ActionIcon>
  )
}

/** As wide as the menu button, so that the header does not move when the menu loads. */
function PersonPlace({ name }: { name: string }) {
  return (
    <span className={styles.person} aria-hidden="true">
      <span className={styles.initials} />
      <span className={styles.personName}>{name}</span>
      <span className={styles.arrowPlace} />
    </span>
  )
}

/** Shows whether the page is live, and if not, how old its data are. Screen readers hear changes, not the ticking age. */
function LiveIndicator() {
  const { state, lastMessageAt, retryNow } = useLive()
  const now = useSeconds()
  const age = state === 'live' || lastMessageAt === null ? null : readableAge(Math.max(0, now - lastMessageAt))
  return (
    <div className={styles.indicator} data-state={state}>
      <span className={styles.dot} aria-hidden="true" />
      <span role="status">{labels[state]}</span>
      {age !== null && (
        <span className={styles.age}>
          <span className={styles.words}> · last message </span>
          {age} ago
        </span>
      )}
      {state === 'offline' && (
        <button type="button" className={styles.retry} onClick={retryNow}>
          Reconnect
        </button>
      )}
    </div>
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
