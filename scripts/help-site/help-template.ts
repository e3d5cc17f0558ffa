import type { HelpPage } from './help-markdown.ts'

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
