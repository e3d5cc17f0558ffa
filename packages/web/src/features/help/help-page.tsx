import { useComputedColorScheme } from '@mantine/core'
import { IconMail } from '@tabler/icons-react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { call } from '../../lib/http.ts'
import { pageSettings, versionQuery } from '../../lib/page-settings.ts'
import { FramedPage, PageFrame, PageHeader } from '../../ui/layout/page-frame.tsx'
import { ErrorState } from '../../ui/text/notice.tsx'
import styles from './help.module.css'
import { type HelpPlace, helpAddress, isSamePlace, reportedPlace } from './help-place.ts'

interface HelpFrameProps {
  place: HelpPlace
  /** Called when the user follows a link inside the frame. */
  onPlace: (place: HelpPlace) => void
  /** Called if the frame did not load a help page. */
  onFailure: () => void
}

const FAILED = 'Something went wrong while loading the help page. Please try again or contact support for assistance'

/** Shows the help site and the support contact: document 2 section 2 "Help". */
export function HelpPage({ place, onPlace }: { place: HelpPlace; onPlace: (place: HelpPlace) => void }) {
  const cookie = useQuery(helpCookieQuery())
  const [attempt, setAttempt] = useState(0)
  const [hasFailed, setFailed] = useState(false)

  async function load() {
    await cookie.refetch()
    setFailed(false)
    setAttempt((count) => count + 1)
  }

  // The cookie may have expired, for example while the computer slept: retries once, then leaves it to the user.
  function handleFailure() {
    if (attempt % 2 === 0) void load()
    else setFailed(true)
  }

  return (
    <FramedPage>
      <PageHeader title="Help">
        <SupportContact />
      </PageHeader>
      {hasFailed || (cookie.isError && cookie.data === undefined) ? (
        <ErrorState title={FAILED} onRetry={() => void load()} />
      ) : cookie.data === undefined ? (
        <PageFrame waiting={<HelpWaiting />} />
      ) : (
        <HelpFrame key={attempt} place={place} onPlace={onPlace} onFailure={handleFailure} />
      )}
    </FramedPage>
  )
}

/**
 * Fetches the cookie that opens the help site. It outlives its token by one second and is renewed then (document 2
 * section 9), even in a hidden tab: the console does not notice when a user returns and follows a link inside the
 * frame.
 */
export function helpCookieQuery() {
  return queryOptions({
    queryKey: ['help-cookie'] as const,
    queryFn: ({ signal }) => call('createHelpCookie', { signal }),
    // Always fetched on opening the page, because another user may have signed in.
    staleTime: 0,
    gcTime: 0,
    refetchInterval: ({ state }) => (state.data === undefined ? false : (state.data.expiresIn + 1) * 1000),
    refetchIntervalInBackground: true,
  })
}

/** Shows the support address and the details to include about this installation. */
export function SupportContact() {
  const { supportEmail } = pageSettings()
  const running = useQuery(versionQuery()).data
  return (
    <section className={styles.contact} aria-label="Support contact">
      <a className={styles.mail} href={`mailto:${supportEmail}`}>
        <IconMail size={16} stroke={1.7} aria-hidden="true" />
        {supportEmail}
      </a>
      <span className={styles.version}>
        {running === undefined ? ' ' : `Version ${running.version} · ${running.environment}`}
      </span>
    </section>
  )
}

/** Shows the help site in a same-origin frame that follows the console's theme. */
function HelpFrame({ place, onPlace, onFailure }: HelpFrameProps) {
  // Needed at the first render, when the frame's address is made.
  const theme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  const frame = useRef<HTMLIFrameElement>(null)
  const shown = useRef(place)
  const [isLoaded, setLoaded] = useState(false)
  // The address never changes: another `src` would reload the page and add a history entry.
  const [address] = useState(() => helpAddress(place, theme))

  useEffect(() => {
    function handleMessage({ origin, source, data }: MessageEvent<unknown>) {
      if (origin !== window.location.origin || source !== frame.current?.contentWindow) return
      const reported = reportedPlace(data)
      if (reported === null) return
      shown.current = reported
      onPlace(reported)
    }
    window.addEventListener('message', handleMessage)
    return () => window.removeEventListener('message', handleMessage)
  }, [onPlace])

  useEffect(() => {
    if (isLoaded) frame.current?.contentWindow?.postMessage({ kind: 'help-theme', theme }, window.location.origin)
  }, [theme, isLoaded])

  // Runs when the console's address changes, by a link to another help page or Help in the side bar.
  useEffect(() => {
    if (!isLoaded || isSamePlace(place, shown.current)) return
    shown.current = place
    frame.current?.contentWindow?.location.replace(helpAddress(place, theme))
  }, [place, theme, isLoaded])

  function handleLoad() {
    setLoaded(true)
    if (frame.current?.contentDocument?.documentElement.dataset.helpPage === undefined) onFailure()
  }

  return (
    <PageFrame waiting={isLoaded ? null : <HelpWaiting />}>
      <iframe ref={frame} title="Help pages" src={address} onLoad={handleLoad} />
    </PageFrame>
  )
}

/** Covers the frame until the help page has loaded. */
function HelpWaiting() {
  return (
    <div className={styles.waiting} role="status">
      Loading help…
    </div>
  )
}
