import { useQuery } from '@tanstack/react-query'
import { isNotFound, Outlet, useMatches, useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { zoneLabel } from '../../lib/dates.ts'
import { pageSettings } from '../../lib/page-settings.ts'
import { PRODUCT_NAME, productQuery } from '../../lib/product.ts'
import { useShownName } from '../../lib/screen-name.ts'
import { startSession } from '../../lib/session/session.ts'
import { useSession } from '../../lib/session/use-session.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { useSessionLifecycle } from '../session/session-lifecycle.tsx'
import { Header } from './header.tsx'
import styles from './shell.module.css'
import { SideBar } from './side-bar.tsx'

/** Header, side bar and footer around every screen. */
export function Shell() {
  const session = useSession()
  const router = useRouter()
  const content = useFocusOnArrival()
  const product = useQuery(productQuery()).data?.product ?? PRODUCT_NAME
  useSessionLifecycle()
  useWindowTitle(product)

  return (
    <div className={styles.shell} data-signed-in={session.status === 'signed-in' || undefined}>
      <a className={styles.skip} href="#content">
        Skip to content
      </a>
      <Header product={product} />
      {session.status === 'signed-in' && <SideBar />}
      <main ref={content} id="content" className={styles.content} tabIndex={-1}>
        {session.status === 'unreachable' ? (
          <ErrorState
            title={`${product} could not be reached`}
            onRetry={() => void startSession().then(() => router.invalidate())}
          >
            {session.error.message}
          </ErrorState>
        ) : (
          <Outlet />
        )}
      </main>
      <footer className={styles.footer}>
        <span>{pageSettings().copyright}</span>
        <span>All times {zoneLabel()}</span>
      </footer>
    </div>
  )
}

/** Shown while a screen's code is on its way. */
export function PendingScreen() {
  return (
    <div className={styles.pending} role="status">
      Loading…
    </div>
  )
}

/** Whoever comes to another screen by a link that is gone with the last one goes on from the new screen's start. */
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

function useWindowTitle(product: string): void {
  const shown = useShownName()
  const screen = useMatches({
    // What a route calls not found is called as what has no route.
    select: (matches) =>
      matches.some(({ error }) => isNotFound(error)) ? undefined : matches.at(-1)?.staticData.title,
  })
  const title = shown ?? screen
  useEffect(() => {
    document.title = title === undefined ? product : `${title} · ${product}`
  }, [title, product])
}
