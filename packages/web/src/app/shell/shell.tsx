import { Flex, Group, Text, UnstyledButton } from '@mantine/core'
import { type Icon, IconAlertTriangle, IconChartHistogram, IconHelp, IconMicroscope } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { isNotFound, Link, type LinkProps, Outlet, useMatches, useRouter } from '@tanstack/react-router'
import { useCallback, useEffect, useRef } from 'react'
import { kpiDashboardsQuery } from '../../features/kpi/kpi.api.ts'
import { PRODUCT_NAME, pageSettings, productQuery } from '../../lib/page-settings.ts'
import { useShownName } from '../../lib/screen-name.ts'
import { renewToken, startSession, useSession } from '../../lib/session/session.ts'
import { formatZone } from '../../lib/time/dates.ts'
import { ErrorState } from '../../ui/text/notice.tsx'
import { useSessionLifecycle } from '../session/session-lifecycle.tsx'
import { Header } from './header.tsx'
import styles from './shell.module.css'

/** Entries of the side bar from top to bottom. For a new area add one entry here and its route in router.tsx. */
const navigation: readonly Area[] = [
  { to: '/events', label: 'Service events', icon: IconAlertTriangle },
  { to: '/instruments', label: 'Instruments', icon: IconMicroscope },
  { to: '/help', label: 'Help', icon: IconHelp },
  { to: '/kpi', label: 'KPI', icon: IconChartHistogram, needs: 'kpi' },
]

const RETRY_MS = 10_000

interface Area {
  to: NonNullable<LinkProps['to']>
  label: string
  icon: Icon
  /** Shown only to users with this permission. */
  needs?: 'kpi'
}

/** Frames every screen with header, side bar and footer. */
export function Shell() {
  const session = useSession()
  const retry = useRetry(session.status === 'unreachable')
  const content = useFocusOnArrival()
  const product = useQuery(productQuery()).data?.product ?? PRODUCT_NAME
  useSessionLifecycle()

  return (
    <div className={styles.shell} data-signed-in={session.status === 'signed-in' || undefined}>
      <a className={styles.skip} href="#content">
        Skip to content
      </a>
      <WindowTitle product={product} />
      <Header product={product} />
      {session.status === 'signed-in' && <SideBar />}
      <main ref={content} id="content" className={styles.content} tabIndex={-1}>
        {session.status === 'unreachable' ? (
          <ErrorState title={`${product} could not be reached`} onRetry={retry}>
            {session.error.message}
          </ErrorState>
        ) : (
          <Outlet />
        )}
      </main>
      <Group component="footer" justify="space-between" gap="2px 16px" fz="xs" className={styles.footer}>
        <span>{pageSettings().copyright}</span>
        <span>All times {formatZone()}</span>
      </Group>
    </div>
  )
}

/**
 * Returns the function that starts the session again. While the server is unreachable it is called as soon as the
 * server answers, because nobody may be there to click; until then the screen does not change.
 */
function useRetry(isUnreachable: boolean): () => void {
  const router = useRouter()
  const retry = useCallback(() => void startSession().then(() => router.invalidate()), [router])
  useEffect(() => {
    if (!isUnreachable) return
    const timer = setInterval(() => void renewToken().then(retry, () => undefined), RETRY_MS)
    return () => clearInterval(timer)
  }, [isUnreachable, retry])
  return retry
}

/** Shown while the code of a screen is loading. */
export function PendingScreen() {
  return (
    <Text size="md" ta="center" c="dimmed" py={48} role="status">
      Loading…
    </Text>
  )
}

/** Moves the focus to the start of the new screen if the link that led there is gone. */
function useFocusOnArrival() {
  const router = useRouter()
  const content = useRef<HTMLElement>(null)
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (fromLocation !== undefined && pathChanged && document.activeElement === document.body)
          content.current?.focus({ preventScroll: true })
      }),
    [router],
  )
  return content
}

/** Draws nothing. It is a component so that a new title does not draw header and side bar anew. */
function WindowTitle({ product }: { product: string }) {
  const shown = useShownName()
  const screen = useMatches({
    // A route that reports 'not found' gets the same title as an unknown address.
    select: (matches) =>
      matches.some(({ error }) => isNotFound(error)) ? undefined : matches.at(-1)?.staticData.title,
  })
  const title = shown ?? screen
  useEffect(() => {
    document.title = title === undefined ? product : `${title} · ${product}`
  }, [title, product])
  return null
}

/** Links to the areas of the console: at the side, or at the bottom of a narrow screen. */
function SideBar() {
  const allowed = { kpi: (useQuery(kpiDashboardsQuery()).data?.length ?? 0) > 0 }
  const areas = navigation.filter(({ needs }) => needs === undefined || allowed[needs])
  return (
    <nav className={styles.bar} aria-label="Areas">
      <Flex
        direction={{ base: 'row', md: 'column' }}
        align="center"
        justify="space-around"
        gap={6}
        py={{ base: 5, md: 12 }}
        className={styles.links}
      >
        {areas.map(({ to, label, icon: AreaIcon }) => (
          <UnstyledButton
            key={to}
            className={styles.link}
            title={label}
            aria-label={label}
            renderRoot={(root) => <Link {...root} to={to} />}
          >
            <AreaIcon size={20} stroke={1.7} aria-hidden="true" />
            <Text span fz={11} fw={560} hiddenFrom="md">
              {label}
            </Text>
          </UnstyledButton>
        ))}
      </Flex>
    </nav>
  )
}
