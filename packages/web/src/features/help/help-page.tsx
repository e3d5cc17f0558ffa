import { useComputedColorScheme } from '@mantine/core'
import { IconMail } from '@tabler/icons-react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { call } from '../../lib/http.ts'
import { pageSettings, versionQuery } from '../../lib/page-settings.ts'
import { FramedPage, PageFrame, PageHeader } from '../../ui/layout/page-frame.tsx'
import { ErrorState } from '../../ui/text/notice.tsx'
import styles from './help.module.css'
import { type HelpPlace, helpAddress, isSamePlace, toldPlace } from './help-place.ts'

interface HelpFrameProps {
  place: HelpPlace
  /** The frame shows another place by now: a link was followed in it. */
  onPlace: (place: HelpPlace) => void
  /** What came is no page of the help. */
  onFailure: () => void
}

const FAILED = 'Something went wrong while loading the help page. Please try again or contact support for assistance'

/** The help site with whom to ask when it does not help: document 2 section 2 "Help". */
export function HelpPage({ place, onPlace }: { place: HelpPlace; onPlace: (place: HelpPlace) => void }) {
  const cookie = useQuery(helpCookieQuery())
  const [attempt, setAttempt] = useState(0)
  const [hasFailed, setFailed] = useState(false)

  async function load() {
    await cookie.refetch()
    setFailed(false)
    setAttempt((count) => count + 1)
  }

  // The cookie may have run out in the meantime, in a computer that slept for instance: once more by itself, then people decide.
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
 * The cookie that opens the help site. It lives one second longer than its token, and is renewed then (document 2
 * section 9), also while nobody looks: whoever comes back presses a link within the frame, of which the console hears nothing.
 */
export function helpCookieQuery() {
  return queryOptions({
    queryKey: ['help-cookie'] as const,
    queryFn: ({ signal }) => call('createHelpCookie', { signal }),
    // Each visit begins with a fresh one: somebody else may have signed in meanwhile.
    staleTime: 0,
    gcTime: 0,
    refetchInterval: ({ state }) => (state.data === undefined ? false : (state.data.expiresIn + 1) * 1000),
    refetchIntervalInBackground: true,
  })
}

/** Whom to write to, and what to tell them about this installation. */
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

/** The help site in a frame of the same origin, in the theme of the console. */
function HelpFrame({ place, onPlace, onFailure }: HelpFrameProps) {
  // Known from the first drawing on: the address of the frame is made then.
  const theme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  const frame = useRef<HTMLIFrameElement>(null)
  const shown = useRef(place)
  const [isLoaded, setLoaded] = useState(false)
  // Its address stays: another `src` would load the page anew and add a step to the browser's history.
  const [address] = useState(() => helpAddress(place, theme))

  useEffect(() => {
    function handleMessage({ origin, source, data }: MessageEvent<unknown>) {
      if (origin !== window.location.origin || source !== frame.current?.contentWindow) return
      const told = toldPlace(data)
      if (told === null) return
      shown.current = told
      onPlace(told)
    }
    window.addEventListener('message', handleMessage)
    return () => window.removeEventListener('message', handleMessage)
  }, [onPlace])

  useEffect(() => {
    if (isLoaded) frame.current?.contentWindow?.postMessage({ kind: 'help-theme', theme }, window.location.origin)
  }, [theme, isLoaded])

  // The address of the console changed by itself: a link to another page of the help, or Help in the side bar.
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

/** What covers the frame until the help stands in it. */
function HelpWaiting() {
  return (
    <div className={styles.waiting} role="status">
      Loading the help…
    </div>
  )
}
