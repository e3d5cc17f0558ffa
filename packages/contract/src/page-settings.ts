import { CASE_NUMBER } from './patterns.ts'

/**
 * What the server writes into the head of the page, because the console must know it before it asks anything, and
 * because it is no answer of any endpoint. Plain data, without zod.
 */
export interface PageSettings {
  copyright: string
  supportEmail: string
  /** Source of a regular expression: CASE_NUMBER_PATTERN. */
  caseNumberPattern: string
  /** Hosts that a case URL may name: CASE_URL_HOSTS. */
  caseUrlHosts: readonly string[]
}

/** Name of the meta element that holds them as JSON. */
export const PAGE_SETTINGS_META = 'benchwatch-settings'

/** Hosts of case URLs unless configured otherwise (3-decisions 4). */
export const DEFAULT_CASE_URL_HOSTS: readonly string[] = ['*.my.salesforce.com', 'cases.benchwatch.example']

/** What holds where no server wrote anything: the development server of the web app, and tests. */
export function defaultPageSettings(product: string): PageSettings {
  return {
    copyright: `© ${new Date().getFullYear()} ${product}`,
    supportEmail: 'support@benchwatch.example',
    caseNumberPattern: CASE_NUMBER.source,
    caseUrlHosts: DEFAULT_CASE_URL_HOSTS,
  }
}
