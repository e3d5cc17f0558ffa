import { useEffect, useState } from 'react'

/**
 * What a screen loads once it is wanted; null until then. Where lazy() would show its fallback, React keeps that for 300 ms even
 * when the file comes after 20; whole screens that are switched to shall not wait for that. Throws what loading threw.
 */
export function useLoaded<T>(load: () => Promise<T>, isWanted: boolean): T | null {
  const [outcome, setOutcome] = useState<{ loaded: T } | { failure: unknown } | null>(null)
  const isMissing = isWanted && outcome === null
  useEffect(() => {
    if (!isMissing) return
    load().then(
      (loaded) => setOutcome({ loaded }),
      (failure: unknown) => setOutcome({ failure }),
    )
  }, [isMissing, load])
  if (outcome === null) return null
  if ('failure' in outcome) throw outcome.failure
  return outcome.loaded
}
