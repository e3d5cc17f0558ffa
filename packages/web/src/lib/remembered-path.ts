import { tabStore } from './storage.ts'

/** Path that an anonymous user wanted to open; kept in the tab until it is used. */

const KEY = 'rememberedPath'
const HOME = '/events'

export function rememberPath(path: string): void {
  tabStore.write(KEY, path)
}

/** Returns the path to open after sign-in: the remembered one unless it is / or /login, else the events. */
export function rememberedPath(): string {
  const path = tabStore.read(KEY)
  // Own paths start with one slash; two would name another host.
  if (typeof path !== 'string' || !/^\/(?!\/)/.test(path)) return HOME
  return /^\/(login\/?)?([?#]|$)/.test(path) ? HOME : path
}

/** Returns the remembered path and forgets it. */
export function takeRememberedPath(): string {
  const path = rememberedPath()
  tabStore.remove(KEY)
  return path
}
