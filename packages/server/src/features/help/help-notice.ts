import { escapeHtml } from '../../platform/escape-html.ts'

interface Notice {
  product: string
  title: string
  text: string
  link?: { address: string; words: string }
  /** It belongs to the site: the console shows it as it shows any page of it, and does not take it for a failure. */
  isPage?: boolean
}

/**
 * A page in place of one of the help site. It holds its few styles itself, in the colours of the console, because those of
 * the site need the cookie as well. Light or dark: as the system is, or the console around its frame.
 */
export function helpNotice({ product, title, text, link, isPage = false }: Notice): string {
  return `<!doctype html>
<html lang="en"${isPage ? ' data-help-page=""' : ''}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · ${escapeHtml(product)}</title>
<style>
:root { color-scheme: light dark; }
body {
  display: grid;
  place-content: center;
  min-height: 90dvh;
  margin: 0 24px;
  background: light-dark(#ffffff, #151c23);
  color: light-dark(#16202c, #e8edf2);
  font: 14px/1.55 system-ui, -apple-system, "Segoe UI", sans-serif;
  text-align: center;
}
main { max-width: 46ch; }
h1 { margin: 0 0 6px; font-weight: 620; font-size: 17px; }
p { margin: 0 0 8px; text-wrap: balance; }
a { color: light-dark(#0f6e84, #4fc0d8); }
</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
${link ? `<p><a href="${escapeHtml(link.address)}">${escapeHtml(link.words)}</a></p>` : ''}
</main>
</body>
</html>
`
}
