/**
 * Browser storage under one prefix. Reading and writing never throw: a browser may refuse storage altogether, and then
 * the console works without memory.
 */

const PREFIX = 'benchwatch.'

/** Key of the colour scheme, `light`, `dark` or `auto`. Stored as the bare word: colour-scheme.js reads it before us. */
export const THEME_KEY = `${PREFIX}theme`

/** Whether single keys do something: `off` where somebody switched them off. */
export const SHORTCUTS = 'shortcuts'

/** What belongs to the device and not to the person, and so outlives them. */
const KEPT: readonly string[] = [THEME_KEY, PREFIX + SHORTCUTS]

export interface Store {
  /** The value as it was written, unchecked; null where there is none or it can't be read. */
  read: (key: string) => unknown
  write: (key: string, value: unknown) => void
  remove: (key: string) => void
  /** Removes all of ours but what belongs to the device. */
  clear: () => void
}

function openStore(area: () => Storage): Store {
  function attempt<T>(work: (storage: Storage) => T): T | null {
    try {
      return work(area())
    } catch {
      return null
    }
  }
  return {
    read: (key) =>
      attempt((storage) => {
        const text = storage.getItem(PREFIX + key)
        return text === null ? null : (JSON.parse(text) as unknown)
      }),
    write: (key, value) => void attempt((storage) => storage.setItem(PREFIX + key, JSON.stringify(value))),
    remove: (key) => void attempt((storage) => storage.removeItem(PREFIX + key)),
    clear: () =>
      void attempt((storage) => {
        for (const key of Object.keys(storage)) {
          if (key.startsWith(PREFIX) && !KEPT.includes(key)) storage.removeItem(key)
        }
      }),
  }
}

/** Kept on this device, seen by every tab. */
export const deviceStore = openStore(() => window.localStorage)

/** Kept for this tab alone, as long as it is open. */
export const tabStore = openStore(() => window.sessionStorage)
