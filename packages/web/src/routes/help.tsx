import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { HelpPage } from '../features/help/help-page.tsx'
import { type HelpPlace, readHelpPlace, writeHelpPlace } from '../features/help/help-place.ts'

/** /help: the help site; `?page=` and `?section=` lead to a place in it, and follow what is read there. */
export function HelpScreen() {
  const navigate = useNavigate()
  const { page, section } = readHelpPlace(useSearch({ strict: false }))
  const place = useMemo(() => ({ page, section }), [page, section])
  // In the place of the entry before: the steps within the frame are in the browser's history already.
  const handlePlace = useCallback(
    (shown: HelpPlace) => void navigate({ to: '/help', search: writeHelpPlace(shown), replace: true }),
    [navigate],
  )
  return <HelpPage place={place} onPlace={handlePlace} />
}
