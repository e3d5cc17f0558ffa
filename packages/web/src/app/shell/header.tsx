import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { IconMoon, IconSun } from '@tabler/icons-react'
import { Link, useMatchRoute } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { pageSettings } from '../../lib/page-settings.ts'
import { useSession } from '../../lib/session/use-session.ts'
import styles from './header.module.css'
import { LiveIndicator } from './live-indicator.tsx'

// The login has no use for menus.
const UserMenu = lazy(() => import('./user-menu.tsx').then((file) => ({ default: file.UserMenu })))

/** Logo and name, how live the picture is, and the person or the way to sign in. */
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

/** The deployment's own picture, else the product's. */
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

/** As wide as the menu's button, so that the header does not move when it arrives. */
function PersonPlace({ name }: { name: string }) {
  return (
    <span className={styles.person} aria-hidden="true">
      <span className={styles.initials} />
      <span className={styles.personName}>{name}</span>
      <span className={styles.arrowPlace} />
    </span>
  )
}
