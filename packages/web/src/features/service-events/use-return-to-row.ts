import { useEffect, useEffectEvent } from 'react'
import { tabStore } from '../../lib/storage.ts'

const KEY = 'events.opened'

/** Which event this tab looks at. */
export function rememberOpenedEvent(eventId: string): void {
  tabStore.write(KEY, eventId)
}

/**
 * Back from an event, `goTo` is told which one it was, once the rows are there: whoever works through the list by keyboard goes
 * on with the next row, not from the top. Only where nothing else has taken the focus by then.
 */
export function useReturnToRow(isLoaded: boolean, goTo: (eventId: string) => void): void {
  const goBack = useEffectEvent(() => {
    const eventId = tabStore.read(KEY)
    if (typeof eventId !== 'string') return
    tabStore.remove(KEY)
    if (document.activeElement === null || document.activeElement === document.body) goTo(eventId)
  })
  useEffect(() => {
    if (isLoaded) goBack()
  }, [isLoaded])
}
