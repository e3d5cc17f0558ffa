/**
 * Browser storage under one prefix. Reading and writing never throw: if the browser denies storage, the console works
 * without it.
 */

const PREFIX = 'benchwatch.'

/**
 * Key of the colour scheme, `light`, `dark` or `auto`. Stored as a bare word, because colour-scheme.js reads it first.
 */
export const THEME_KEY = `${PREFIX}theme`

/** Key of the keyboard shortcut setting: `off` if the user disabled them. */
export const SHORTCUTS = 'shortcuts'

/** Key of the row height of lists: `compact`, or absent. */
export const DENSITY = 'density'

/** Key of the id of the tab's user until a sign-out, which tells whether the next one is the same. */
export const OWNER = 'owner'

/** Settings of the device, which survive a sign-out, and the tab's user, who survives an expired session. */
const KEPT: readonly string[] = [THEME_KEY, PREFIX + SHORTCUTS, PREFIX + DENSITY, PREFIX + OWNER]

export interface Store {
  /** Returns the stored value unchecked; null if it is missing or unreadable. */
  read: (key: string) => unknown
  write: (key: string, value: unknown) => void
  remove: (key: string) => void
  /** Removes all entries except the settings of the device and the tab's user. */
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

/** Stored on this device and shared by all tabs. */
export const deviceStore = openStore(() => window.localStorage)

/** Stored for this tab until it is closed. */
export const tabStore = openStore(() => window.sessionStorage)
