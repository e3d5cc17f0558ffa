import { useComputedColorScheme } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { PageFrame } from '../../ui/page-frame.tsx'
import styles from './help.module.css'
import { type HelpPlace, helpAddress, isSamePlace, toldPlace } from './help-place.ts'

interface HelpFrameProps {
  place: HelpPlace
  /** The frame shows another place by now: a link was followed in it. */
  onPlace: (place: HelpPlace) => void
  /** What came is no page of the help. */
  onFailure: () => void
}

/** The help site in a frame of the same origin, in the theme of the console. */
export function HelpFrame({ place, onPlace, onFailure }: HelpFrameProps) {
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
export function HelpWaiting() {
  return (
    <div className={styles.waiting} role="status">
      Loading the help…
    </div>
  )
}
