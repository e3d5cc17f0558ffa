import { tabStore } from './storage.ts'

/** Where a person wanted to go before having to sign in; kept in the tab until it is used. */

const KEY = 'rememberedPath'
const HOME = '/events'

export function rememberPath(path: string): void {
  tabStore.write(KEY, path)
}

/** Where to go after signing in, once: the remembered path unless it is / or /login, else the events. */
export function takeRememberedPath(): string {
  const path = tabStore.read(KEY)
  tabStore.remove(KEY)
  // A path of ours starts with one slash; two would name another host.
  if (typeof path !== 'string' || !/^\/(?!\/)/.test(path)) return HOME
  return /^\/(login\/?)?([?#]|$)/.test(path) ? HOME : path
}
