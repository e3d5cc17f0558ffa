/** How a mail program draws a mail: on light or on dark ground. */
export type MailTheme = 'light' | 'dark'

/**
 * A mail as a mail program of this theme draws it, whatever this browser prefers: what its own styles ask of the theme is
 * answered in their text, because a page in a frame can't be given another preference in every browser.
 */
export function mailInTheme(html: string, theme: MailTheme): string {
  const answered = html.replace(/<style\b[^>]*>[^]*?<\/style>/gi, (styles) =>
    styles.replace(/\(\s*prefers-color-scheme\s*:\s*(dark|light)\s*\)/gi, (_asked, wanted: string) =>
      wanted.toLowerCase() === theme ? '(min-width: 0)' : '(max-width: 0)',
    ),
  )
  return answered.replace(/<\/head>/i, `<style>:root{color-scheme:${theme}!important}</style></head>`)
}
