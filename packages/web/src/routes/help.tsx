import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { HelpPage } from '../features/help/help-page.tsx'
import { type HelpPlace, readHelpPlace, writeHelpPlace } from '../features/help/help-place.ts'

/** /help: the help site; `?page=` and `?section=` name a place in it and follow the reader. */
export function HelpScreen() {
  const navigate = useNavigate()
  const { page, section } = readHelpPlace(useSearch({ strict: false }))
  const place = useMemo(() => ({ page, section }), [page, section])
  // Replaces the history entry, because the browser's history already has the steps inside the frame.
  const handlePlace = useCallback(
    (shown: HelpPlace) => void navigate({ to: '/help', search: writeHelpPlace(shown), replace: true }),
    [navigate],
  )
  return <HelpPage place={place} onPlace={handlePlace} />
}
