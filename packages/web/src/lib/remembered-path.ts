import { tabStore } from './storage.ts'

/** Where a person wanted to go before having to sign in; kept in the tab until it is used. */

const KEY = 'rememberedPath'
const HOME = '/events'

export function rememberPath(path: string): void {
  tabStore.write(KEY, path)
}

/** Where to go after signing in: the remembered path unless it is / or /login, else the events. */
export function rememberedPath(): string {
  const path = tabStore.read(KEY)
  // A path of ours starts with one slash; two would name another host.
  if (typeof path !== 'string' || !/^\/(?!\/)/.test(path)) return HOME
  return /^\/(login\/?)?([?#]|$)/.test(path) ? HOME : path
}

/** The same, once. */
export function takeRememberedPath(): string {
  const path = rememberedPath()
  tabStore.remove(KEY)
  return path
}
