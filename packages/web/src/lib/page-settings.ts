import { defaultPageSettings, PAGE_SETTINGS_META, type PageSettings } from '@benchwatch/contract/page-settings'
import { queryOptions } from '@tanstack/react-query'
import { call } from './http.ts'

/** The product as this deployment has it. Neither call needs a session. */

/** Shown until the deployment's own name is known, and when it can't be had. */
export const PRODUCT_NAME = 'Benchwatch'

let read: PageSettings | undefined

/** What this deployment told the page in its head. Read once: it can't change while the page is open. */
export function pageSettings(): PageSettings {
  read ??= readSettings()
  return read
}

function readSettings(): PageSettings {
  const defaults = defaultPageSettings(PRODUCT_NAME)
  const told = document.querySelector(`meta[name="${PAGE_SETTINGS_META}"]`)?.getAttribute('content')
  return told === null || told === undefined
    ? defaults
    : { ...defaults, ...(JSON.parse(told) as Partial<PageSettings>) }
}

/** Name, identity provider and password rules. */
export function productQuery() {
  return queryOptions({
    queryKey: ['product'],
    queryFn: ({ signal }) => call('getAuthConfig', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** Version and environment. */
export function versionQuery() {
  return queryOptions({
    queryKey: ['version'],
    queryFn: ({ signal }) => call('getHealth', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
}
