import { CASE_NUMBER } from './patterns.ts'

/**
 * What the server writes into the head of the page, because the console must know it before it asks anything, and
 * because it is no answer of any endpoint. Plain data, without zod.
 */
export interface PageSettings {
  /** The picture beside the product's name, as an address that holds it: LOGO_FILE; null for the product's own. */
  logo: string | null
  copyright: string
  supportEmail: string
  /** Whose addresses a person may have notifications sent to: COMPANY_EMAIL_DOMAINS. */
  companyEmailDomains: readonly string[]
  /** Source of a regular expression: CASE_NUMBER_PATTERN. */
  caseNumberPattern: string
  /** Hosts that a case URL may name: CASE_URL_HOSTS. */
  caseUrlHosts: readonly string[]
  /** Where two logs are shown side by side, when that is not the console: LOG_DASHBOARD_URL, with its placeholders. */
  logDashboardUrl: string | null
  /** Street tiles of the map above zoom 5: MAP_TILES_URL with {z}, {x} and {y}; null where it is off. */
  mapTilesUrl: string | null
  /** Whom the tiles are owed to; shown on the map as text. */
  mapTilesAttribution: string
  /** Installed product ids that the back office suggests first: TEST_INSTRUMENTS. */
  testInstruments: readonly string[]
}

/** Name of the meta element that holds them as JSON. */
export const PAGE_SETTINGS_META = 'benchwatch-settings'

/** Hosts of case URLs unless configured otherwise (3-decisions 4). */
export const DEFAULT_CASE_URL_HOSTS: readonly string[] = ['*.my.salesforce.com', 'cases.benchwatch.example']

/**
 * What LOG_DASHBOARD_URL may hold in braces; each is filled in percent-encoded. Of the two logs: type, and the computer of a
 * client's log. `from`, `to` and `at` (the moment of the event) are ISO instants.
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

/** What holds where no server wrote anything: the development server of the web app, and tests. */
export function defaultPageSettings(product: string): PageSettings {
  return {
    logo: null,
    copyright: `© ${new Date().getFullYear()} ${product}`,
    supportEmail: 'support@benchwatch.example',
    companyEmailDomains: ['benchwatch.example', 'helixbio.example'],
    caseNumberPattern: CASE_NUMBER.source,
    caseUrlHosts: DEFAULT_CASE_URL_HOSTS,
    logDashboardUrl: null,
    mapTilesUrl: null,
    mapTilesAttribution: '',
    testInstruments: [],
  }
}
