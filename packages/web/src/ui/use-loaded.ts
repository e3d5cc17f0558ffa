import { useEffect, useState } from 'react'

/**
 * Loads something once it is needed; returns null until then. With lazy(), React keeps a fallback for 300 ms even if
 * the file arrives after 20, which is too slow for switching screens. Rethrows loading errors.
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
