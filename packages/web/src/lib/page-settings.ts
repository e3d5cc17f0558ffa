import { defaultPageSettings, PAGE_SETTINGS_META, type PageSettings } from '@benchwatch/contract/page-settings'
import { queryOptions } from '@tanstack/react-query'
import { call } from './http.ts'

/** Name and settings of this deployment. Neither call needs a session. */

/** Used until the deployment's own name is known, or if it cannot be loaded. */
export const PRODUCT_NAME = 'Benchwatch'

let read: PageSettings | undefined

/**
 * Returns the settings that the server writes into the page's head. Read once, because they cannot change while the
 * page is open.
 */
export function pageSettings(): PageSettings {
  read ??= readSettings()
  return read
}

function readSettings(): PageSettings {
  const defaults = defaultPageSettings(PRODUCT_NAME)
  const content = document.querySelector(`meta[name="${PAGE_SETTINGS_META}"]`)?.getAttribute('content')
  return content === null || content === undefined
    ? defaults
    : { ...defaults, ...(JSON.parse(content) as Partial<PageSettings>) }
}

/** Fetches name, identity provider and password rules. */
export function productQuery() {
  return queryOptions({
    queryKey: ['product'],
    queryFn: ({ signal }) => call('getAuthConfig', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** Fetches version and environment. */
export function versionQuery() {
  return queryOptions({
    queryKey: ['version'],
    queryFn: ({ signal }) => call('getHealth', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
}
