import { CASE_NUMBER } from './patterns.ts'

/**
 * Settings that the server writes into the page head, because the console needs them before its first request and no
 * endpoint returns them. Plain data, without zod.
 */
export interface PageSettings {
  /** LOGO_FILE as a data address; null for the product's own logo. */
  logo: string | null
  copyright: string
  supportEmail: string
  /** Domains of addresses that users may have notifications sent to: COMPANY_EMAIL_DOMAINS. */
  companyEmailDomains: readonly string[]
  /** Source of the regular expression CASE_NUMBER_PATTERN. */
  caseNumberPattern: string
  /** Hosts allowed in case URLs: CASE_URL_HOSTS. */
  caseUrlHosts: readonly string[]
  /** Name of the system that creates service cases: CASE_DESK_FILE. Null if people type the number of a case. */
  caseDesk: string | null
  /**
   * External page that shows two logs side by side, with placeholders: LOG_DASHBOARD_URL. Null if the console shows
   * them itself.
   */
  logDashboardUrl: string | null
  /** Street tiles of the map above zoom 5: MAP_TILES_URL with {z}, {x} and {y}; null if there are none. */
  mapTilesUrl: string | null
  /** Attribution of the map tiles, shown on the map as text. */
  mapTilesAttribution: string
  /** Installed product ids that the back office suggests first: TEST_INSTRUMENTS. */
  testInstruments: readonly string[]
}

/** Name of the meta element that holds the settings as JSON. */
export const PAGE_SETTINGS_META = 'benchwatch-settings'

/** Default hosts of case URLs (3-decisions 4). */
export const DEFAULT_CASE_URL_HOSTS: readonly string[] = ['*.my.salesforce.com', 'cases.benchwatch.example']

/**
 * Placeholders of LOG_DASHBOARD_URL, filled in percent-encoded. For each of the two logs: its type, and the computer
 * of a client's log. `from`, `to` and `at` (the time of the event) are ISO instants.
 */
export const logDashboardPlaceholders = [
  'installedProductId',
  'firstLogType',
  'firstComputer',
  'secondLogType',
  'secondComputer',
  'from',
  'to',
  'at',
] as const

/** Defaults for pages that no server rendered: the development server of the web app, and tests. */
export function defaultPageSettings(product: string): PageSettings {
  return {
    logo: null,
    copyright: `© ${new Date().getFullYear()} ${product}`,
    supportEmail: 'support@benchwatch.example',
    companyEmailDomains: ['benchwatch.example', 'helixbio.example'],
    caseNumberPattern: CASE_NUMBER.source,
    caseUrlHosts: DEFAULT_CASE_URL_HOSTS,
    caseDesk: null,
    logDashboardUrl: null,
    mapTilesUrl: null,
    mapTilesAttribution: '',
    testInstruments: [],
  }
}
