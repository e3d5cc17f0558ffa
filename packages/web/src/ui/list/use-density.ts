import { useSyncExternalStore } from 'react'
import { DENSITY, deviceStore } from '../../lib/storage.ts'

/** Row height of all lists: `comfortable` has two lines of text, `compact` one. */
export type Density = 'comfortable' | 'compact'

const listeners = new Set<() => void>()

/** Returns the density that the user chose in this browser. */
export function useDensity(): Density {
  return useSyncExternalStore(subscribe, () => (deviceStore.read(DENSITY) === 'compact' ? 'compact' : 'comfortable'))
}

export function chooseDensity(density: Density): void {
  if (density === 'compact') deviceStore.write(DENSITY, density)
  else deviceStore.remove(DENSITY)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
