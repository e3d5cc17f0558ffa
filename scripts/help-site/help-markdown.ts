import MarkdownIt from 'markdown-it'

/** One page of docs/help as shown on the site. */
export interface HelpPage {
  /** File name without extension, also used as the URL. */
  name: string
  title: string
  html: string
  /** Sections for the search: one at the beginning of the page and one per heading. */
  sections: HelpSection[]
}

export interface HelpSection {
  /** ID of its heading; empty at the beginning of a page. */
  anchor: string
  title: string
  text: string
}

/** Returns the width and height of a picture, so that the layout does not shift on load. Throws if it is missing. */
export type MeasurePicture = (path: string) => { width: number; height: number }

/** Converts a page to HTML. Throws if it does not begin with its title. */
export function renderPage(name: string, text: string, measure: MeasurePicture): HelpPage {
  const markdown = new MarkdownIt({ html: true, typographer: false, linkify: false })
  const tokens = markdown.parse(text, {})
  if (tokens[0]?.type !== 'heading_open' || tokens[0].tag !== 'h1')
    throw new Error(`docs/help/${name}.md does not begin with its title.`)
  const title = plainText(tokens[1]?.children ?? [])
  const sections: HelpSection[] = [{ anchor: '', title, text: '' }]
  const anchors = new Set<string>()
  for (const [index, token] of tokens.entries()) {
    for (const link of token.children ?? []) {
      // The URL belongs to the console, which contains the frame.
      if (String(link.attrGet('href') ?? '').startsWith('/')) link.attrSet('target', '_top')
    }
    if (token.type === 'heading_open' && token.tag !== 'h1') {
      const words = plainText(tokens[index + 1]?.children ?? [])
      const anchor = anchorOf(words)
      if (anchors.has(anchor)) throw new Error(`docs/help/${name}.md has two headings that are called ${words}.`)
      anchors.add(anchor)
      token.attrSet('id', anchor)
      sections.push({ anchor, title: words, text: '' })
    } else if (token.type === 'inline' && tokens[index - 1]?.type !== 'heading_open') {
      const section = sections.at(-1)
      if (section) section.text += `${plainText(token.children ?? [])} `
    }
  }
  const { rules } = markdown.renderer
  // Wide tables scroll separately, also by keyboard.
  rules.table_open = () => '<div class="table" tabindex="0" role="group" aria-label="Table"><table>'
  rules.table_close = () => '</table></div>'
  rules.image = (all, index) => {
    const image = all[index]
    const source = String(image?.attrGet('src') ?? '')
    const { width, height } = measure(source)
    const words = markdown.utils.escapeHtml(image?.content ?? '')
    return `<a class="picture" href="${source}"><img src="${source}" alt="${words}" width="${width}" height="${height}" loading="lazy"></a>`
  }
  return { name, title, html: markdown.renderer.render(tokens, markdown.options, {}), sections }
}

/** Converts `ORC status: how it is connected` to `orc-status-how-it-is-connected`. */
export function anchorOf(words: string): string {
  return words
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
}

function plainText(tokens: readonly { type: string; content: string }[]): string {
  return tokens
    .filter(({ type }) => type === 'text' || type === 'code_inline' || type === 'softbreak')
    .map(({ type, content }) => (type === 'softbreak' ? ' ' : content))
    .join('')
}

export interface NavigationGroup {
  title: string
  pages: { name: string; title: string }[]
}

/** Returns a complete page: head, search and navigation around the text, and links to continue. */
export function helpDocument(page: HelpPage, navigation: readonly NavigationGroup[]): string {
  const inOrder = navigation.flatMap(({ pages }) => pages)
  const at = inOrder.findIndex(({ name }) => name === page.name)
  const onward = [
    ['prev', 'Before', inOrder[at - 1]],
    ['next', 'Next', inOrder[at + 1]],
  ] as const
  return `<!doctype html>
<html lang="en" data-help-page="${page.name}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title)} · Help</title>
<link rel="icon" href="data:,">
<script src="theme.js"></script>
<link rel="stylesheet" href="help.css">
<script type="module" src="help.js"></script>
</head>
<body>
<a class="skip" href="#text">Skip to the text</a>
<header class="top" aria-label="Help site">
<a class="home" href="index.html">Help</a>
<search class="search">
<label class="unseen" for="search">Search the help</label>
<input id="search" type="search" placeholder="Search the help" autocomplete="off" spellcheck="false">
<div id="found" class="found" hidden></div>
<p id="count" class="unseen" role="status"></p>
</search>
</header>
<details class="contents">
<summary>Contents</summary>
${navigationHtml(page, navigation)}
</details>
<nav class="side" aria-label="Help pages">
${navigationHtml(page, navigation)}
</nav>
<main id="text" tabindex="-1" aria-label="Text of the help">
<article>
${page.html}
</article>
<nav class="onward" aria-label="Further pages">
${onward
  .map(([rel, words, to]) =>
    to ? `<a rel="${rel}" href="${to.name}.html"><span>${words}</span> ${escapeHtml(to.title)}</a>` : '<span></span>',
  )
  .join('\n')}
</nav>
</main>
</body>
</html>
`
}

function navigationHtml(page: HelpPage, navigation: readonly NavigationGroup[]): string {
  const group = ({ title, pages }: NavigationGroup) =>
    `<p>${escapeHtml(title)}</p>\n<ul>${pages
      .map(
        ({ name, title: words }) =>
          `<li><a href="${name}.html"${name === page.name ? ' aria-current="page"' : ''}>${escapeHtml(words)}</a></li>`,
      )
      .join('')}</ul>`
  return navigation.map(group).join('\n')
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}

/**
 * Returns the width and height of a lossy WebP picture (RIFF, `VP8 `) or one with an extended header (`VP8X`). Throws
 * for anything else.
 */
export function sizeOfWebp(bytes: Buffer): { width: number; height: number } {
  const kind = bytes.toString('latin1', 12, 16)
  if (bytes.toString('latin1', 8, 12) === 'WEBP') {
    if (kind === 'VP8 ') return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
    if (kind === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
  }
  throw new Error('Not a lossy WebP picture.')
}
