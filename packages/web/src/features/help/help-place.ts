/** A page of the help site and an optional heading on it. */
export interface HelpPlace {
  page: string
  section: string
}

const START = 'index'
const PAGE = /^[a-z0-9-]{1,60}$/
const SECTION = /^[\p{L}\p{N}-]{1,120}$/u

/** Reads the place from the console's address. Falls back to the first page. */
export function readHelpPlace({ page, section }: { page?: unknown; section?: unknown }): HelpPlace {
  return {
    page: typeof page === 'string' && PAGE.test(page) ? page : START,
    section: typeof section === 'string' && SECTION.test(section) ? section : '',
  }
}

/** Writes a place as query parameters; the first page has none. */
export function writeHelpPlace({ page, section }: HelpPlace): { page?: string; section?: string } {
  return { ...((page !== START || section !== '') && { page }), ...(section !== '' && { section }) }
}

/** Returns the frame's address of a place. It contains the theme, so that a dark console does not flash white. */
export function helpAddress({ page, section }: HelpPlace, theme: 'light' | 'dark'): string {
  return `/help-site/${page}.html?theme=${theme}${section === '' ? '' : `#${encodeURIComponent(section)}`}`
}

export function isSamePlace(a: HelpPlace, b: HelpPlace): boolean {
  return a.page === b.page && a.section === b.section
}

/** Returns the place that the frame reports, or null for any other message. */
export function reportedPlace(data: unknown): HelpPlace | null {
  if (typeof data !== 'object' || data === null) return null
  const { kind, page, section } = data as { kind?: unknown; page?: unknown; section?: unknown }
  if (kind !== 'help-place' || typeof section !== 'string') return null
  return readHelpPlace({ page, section: decoded(section) })
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
