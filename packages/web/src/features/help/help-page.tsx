import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorState } from '../../ui/error-state.tsx'
import { FramedPage, PageFrame } from '../../ui/page-frame.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { helpCookieQuery } from './help.api.ts'
import { HelpFrame, HelpWaiting } from './help-frame.tsx'
import type { HelpPlace } from './help-place.ts'
import { SupportContact } from './support-contact.tsx'

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
