import { useEffect, useEffectEvent } from 'react'
import { tabStore } from '../lib/storage.ts'

/** What of a list this tab looks at, such as the id of an event. `area` names the list. */
export function rememberOpened(area: string, name: string): void {
  tabStore.write(`${area}.opened`, name)
}

/**
 * Back from what was opened, `goTo` is told what it was, once the rows are there: whoever works through the list by keyboard goes
 * on with the next row, not from the top. Only where nothing else has taken the focus by then.
 */
export function useReturnToRow(
  area: string,
  { isLoaded, goTo }: { isLoaded: boolean; goTo: (name: string) => void },
): void {
  const goBack = useEffectEvent(() => {
    const name = tabStore.read(`${area}.opened`)
    if (typeof name !== 'string') return
    tabStore.remove(`${area}.opened`)
    const focused = document.activeElement
    // The screen as a whole has it after the way here by a link that is gone.
    if (focused === null || focused === document.body || focused.id === 'content') goTo(name)
  })
  useEffect(() => {
    if (isLoaded) goBack()
  }, [isLoaded])
}
