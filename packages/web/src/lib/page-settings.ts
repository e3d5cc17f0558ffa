import { defaultPageSettings, PAGE_SETTINGS_META, type PageSettings } from '@benchwatch/contract/page-settings'
import { PRODUCT_NAME } from './product.ts'

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
