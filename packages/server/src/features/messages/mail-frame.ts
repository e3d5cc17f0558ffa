import type { Config } from '../../config.ts'
import { escapeHtml, oneLine } from '../../platform/message-text.ts'

/**
 * HTML that mail clients display alike: every element has an inline style, because many clients drop styles in the
 * head.
 */
const FONT = "font-family:Inter,'Segoe UI',system-ui,-apple-system,Roboto,Helvetica,Arial,sans-serif"

const MONO = "font-family:ui-monospace,'SF Mono',Menlo,Consolas,'Liberation Mono',monospace"

const INK = 'color:#16202c'

const TEXT = `${FONT};font-size:15px;line-height:1.55;${INK};overflow-wrap:anywhere`

const CELL = `padding:6px 10px;border:1px solid #e4e7ec;text-align:left;vertical-align:top;${FONT};font-size:14px;line-height:1.5;${INK}`

/** Class for dark mode and inline style of each element. Elements that are missing inherit. */
const styles: Record<string, readonly [className: string, style: string]> = {
  p: ['ink', `margin:0 0 14px;${TEXT}`],
  h3: [
    'ink',
    `margin:22px 0 8px;${FONT};font-size:17px;line-height:1.35;font-weight:650;${INK};overflow-wrap:anywhere`,
  ],
  h4: ['ink', `margin:18px 0 6px;${FONT};font-size:15px;line-height:1.4;font-weight:650;${INK}`],
  ul: ['ink', `margin:0 0 14px;padding:0 0 0 22px;${TEXT}`],
  ol: ['ink', `margin:0 0 14px;padding:0 0 0 24px;${TEXT}`],
  li: ['ink', `margin:0 0 6px;${TEXT}`],
  dl: ['ink', `margin:0 0 14px;${TEXT}`],
  dt: ['ink', `margin:0;${TEXT};font-weight:600`],
  dd: ['ink', `margin:0 0 8px 18px;${TEXT}`],
  blockquote: ['ink quote', `margin:0 0 14px;padding:2px 14px;border-left:3px solid #0f6e84;${TEXT}`],
  pre: [
    'well ink',
    `margin:0 0 14px;padding:12px 14px;background:#f6f7f9;border:1px solid #e4e7ec;border-radius:8px;${MONO};font-size:13px;line-height:1.5;${INK};white-space:pre-wrap;overflow-wrap:anywhere`,
  ],
  code: ['ink', `${MONO};font-size:.92em;${INK}`],
  kbd: ['ink', `${MONO};font-size:.92em;${INK}`],
  a: ['accent', 'color:#0f6e84;overflow-wrap:anywhere'],
  hr: ['rule', 'margin:22px 0;border:0;border-top:1px solid #e4e7ec'],
  table: ['ink', `margin:0 0 14px;border-collapse:collapse;${TEXT}`],
  caption: ['dim', `padding:0 0 6px;text-align:left;${FONT};font-size:13px;line-height:1.5;color:#5b6776`],
  th: ['rule ink', `${CELL};font-weight:600`],
  td: ['rule ink', CELL],
}

/** Configuration values that every e-mail mentions. */
export type MailBrand = Pick<Config, 'product' | 'publicUrl' | 'supportEmail'>

interface Fact {
  label: string
  value: string
}

/** A block of an e-mail body. Text is plain; the frame escapes it for the HTML part. */
export type MailBlock =
  | { kind: 'text'; text: string }
  /** Sanitised HTML, and the same content as text. */
  | { kind: 'html'; html: string; text: string }
  /** A code that the reader types elsewhere: large, spaced, on its own line. */
  | { kind: 'code'; code: string }
  | { kind: 'facts'; facts: readonly Fact[] }
  /** Facts to read, such as a location. */
  | { kind: 'details'; facts: readonly Fact[] }
  /** Text that a user wrote, with its line breaks. */
  | { kind: 'quote'; text: string }
  /** Less prominent text. */
  | { kind: 'note'; text: string }
  /** Several items, each with a link to a page of this installation. */
  | { kind: 'list'; items: readonly ListItem[] }

interface ListItem {
  /** Severity as a coloured word. */
  mark: { text: string; tone: Tone }
  title: string
  path: string
  /** Small text next to the title. */
  aside: string
  text: string
  /** Small text below. */
  about: string
}
type Tone = 'high' | 'medium' | 'low'

export interface MailBody {
  subject: string
  /** A sentence that mail clients show next to the subject. */
  preview: string
  heading: string
  blocks: readonly MailBlock[]
  /** Link to a page of this installation. */
  button?: { label: string; path: string }
  /** Less prominent text below the button. */
  note?: string
  /** Further links to pages of this installation, below the note. */
  links?: readonly { label: string; path: string }[]
}

export interface MailContent {
  subject: string
  text: string
  html: string
}

/**
 * Builds the frame of every e-mail: product, heading, body, at most one button, footer. Both parts come from one
 * source, so their content is the same. Tables and inline styles work in all mail clients; 320 to 600 px wide, light
 * and dark.
 */
export function frameMail(body: MailBody, brand: MailBrand): MailContent {
  return { subject: oneLine(body.subject), text: plainText(body, brand), html: html(body, brand) }
}

function plainText(
  { heading, blocks, button, note, links = [] }: MailBody,
  { product, publicUrl, supportEmail }: MailBrand,
): string {
  const parts = blocks.map((block) => {
    switch (block.kind) {
      case 'code':
        return `    ${block.code}`
      case 'facts':
      case 'details':
        return block.facts.map(({ label, value }) => `${label}: ${value}`).join('\n')
      case 'quote':
        return linesOf(block.text)
          .map((line) => `> ${line}`)
          .join('\n')
      case 'list':
        return block.items
          .map(
            ({ mark, title, path, aside, text, about }) =>
              `${mark.text} · ${title} · ${aside}\n  ${text}\n  ${about}\n  ${publicUrl}${path}`,
          )
          .join('\n\n')
      default:
        return block.text
    }
  })
  return [
    heading,
    ...parts,
    ...(button ? [`${button.label}: ${publicUrl}${button.path}`] : []),
    ...(note === undefined ? [] : [note]),
    ...(links.length === 0 ? [] : [links.map(({ label, path }) => `${label}: ${publicUrl}${path}`).join('\n')]),
    `--\n${product} · ${publicUrl}\nQuestions? ${supportEmail}`,
    '',
  ].join('\n\n')
}

/** Clients that support `prefers-color-scheme` use these; others keep the inline colours. */
const DARK = `
  .ground{background:#0e1318!important}
  .panel{background:#151c23!important;border-color:#26303a!important}
  .ink{color:#e8edf2!important}
  .dim{color:#9fabb8!important}
  .accent{color:#4fc0d8!important}
  .well{background:#0e1318!important;border-color:#26303a!important;color:#e8edf2!important}
  .rule{border-color:#26303a!important}
  .quote{border-color:#4fc0d8!important}
  .button{background:#4fc0d8!important;color:#08222a!important}
  .high{background:#3a1614!important;color:#ff8277!important}
  .medium{background:#372211!important;color:#ffb566!important}
  .low{background:#332b0e!important;color:#f2cc4d!important}`

const TONES: Record<Tone, string> = {
  high: 'background:#fdecea;color:#b3231a',
  medium: 'background:#fef1e2;color:#a34d00',
  low: 'background:#fdf5d8;color:#7a5a00',
}

function html({ subject, preview, heading, blocks, button, note, links = [] }: MailBody, brand: MailBrand): string {
  const { product, publicUrl, supportEmail } = brand
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(oneLine(subject))}</title>
<style>
  :root{color-scheme:light dark;supported-color-schemes:light dark}
  @media (max-width:480px){.inside{padding:24px 20px!important}.outside{padding:12px 8px!important}}
  @media (prefers-color-scheme:dark){${DARK}
  }
</style>
</head>
<body class="ground" style="margin:0;padding:0;background:#f6f7f9;-webkit-text-size-adjust:100%">
<div style="display:none;max-height:0;overflow:hidden;opacity:0">${escapeHtml(preview)}</div>
<table role="presentation" class="ground" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#f6f7f9">
<tr><td class="outside" align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:600px">
<tr><td class="accent" style="padding:0 4px 14px;${FONT};font-size:15px;font-weight:650;letter-spacing:-.01em;color:#0f6e84">${escapeHtml(product)}</td></tr>
<tr><td class="panel inside" style="padding:32px;background:#ffffff;border:1px solid #e4e7ec;border-radius:12px">
<h1 class="ink" style="margin:0 0 14px;${FONT};font-size:20px;line-height:1.3;font-weight:650;letter-spacing:-.01em;color:#16202c;overflow-wrap:anywhere">${escapeHtml(heading)}</h1>
${blocks.map((block) => htmlBlock(block, publicUrl)).join('\n')}
${button ? htmlButton(button, publicUrl) : ''}
${note === undefined ? '' : htmlBlock({ kind: 'note', text: note }, publicUrl)}
${links.length === 0 ? '' : htmlLinks(links, publicUrl)}
</td></tr>
<tr><td class="dim" style="padding:18px 4px 0;${FONT};font-size:12px;line-height:1.6;color:#5b6776">
Sent by <a class="dim" href="${escapeHtml(publicUrl)}" style="color:#5b6776">${escapeHtml(product)}</a>. Questions? Write to <a class="dim" href="mailto:${escapeHtml(supportEmail)}" style="color:#5b6776">${escapeHtml(supportEmail)}</a>.
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`
}

function htmlBlock(block: MailBlock, publicUrl: string): string {
  switch (block.kind) {
    case 'text':
      return `<p class="ink" style="margin:0 0 14px;${FONT};font-size:15px;line-height:1.55;color:#16202c;overflow-wrap:anywhere">${escapeHtml(block.text)}</p>`
    case 'html':
      return styledHtml(block.html)
    case 'note':
      return `<p class="dim" style="margin:14px 0 0;${FONT};font-size:13px;line-height:1.55;color:#5b6776">${escapeHtml(block.text)}</p>`
    case 'code':
      return `<p class="well ink" style="margin:4px 0 18px;padding:16px;background:#f6f7f9;border:1px solid #e4e7ec;border-radius:8px;text-align:center;${MONO};font-size:28px;line-height:1.2;letter-spacing:.18em;color:#16202c">${escapeHtml(block.code)}</p>`
    case 'facts':
      return factTable(block.facts.map(htmlFact))
    case 'details':
      return factTable(block.facts.map(htmlDetail))
    case 'quote':
      return `<p class="ink quote" dir="auto" style="margin:0 0 18px;padding:2px 14px;border-left:3px solid #0f6e84;${FONT};font-size:15px;line-height:1.55;color:#16202c;overflow-wrap:anywhere">${linesOf(block.text).map(escapeHtml).join('<br>')}</p>`
    case 'list':
      return factTable(block.items.map((item) => htmlItem(item, publicUrl)))
  }
}

function factTable(rows: readonly string[]): string {
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:4px 0 18px">
${rows.join('\n')}
</table>`
}

function linesOf(text: string): string[] {
  return text.split(/\r\n|[\r\n\u2028\u2029]/)
}

function htmlFact({ label, value }: Fact): string {
  return `<tr><td class="rule" style="padding:9px 0;border-bottom:1px solid #e4e7ec">
<div class="dim" style="${FONT};font-size:12px;line-height:1.5;color:#5b6776">${escapeHtml(label)}</div>
<div class="ink" style="${MONO};font-size:15px;line-height:1.5;color:#16202c;word-break:break-all">${escapeHtml(value)}</div>
</td></tr>`
}

/** Each part keeps its place: a city in Arabic before a country would otherwise be read after it. */
function htmlDetail({ label, value }: Fact): string {
  const parts = escapeHtml(value).replace(/, | · /g, '</bdi>$&<bdi>')
  return `<tr>
<td class="rule dim" valign="top" width="30%" style="padding:8px 12px 8px 0;border-bottom:1px solid #e4e7ec;${FONT};font-size:13px;line-height:1.5;color:#5b6776">${escapeHtml(label)}</td>
<td class="rule ink" valign="top" style="padding:8px 0;border-bottom:1px solid #e4e7ec;${FONT};font-size:14px;line-height:1.5;color:#16202c;overflow-wrap:anywhere;word-break:break-word"><bdi>${parts}</bdi></td>
</tr>`
}

/** Kept short, because some mail clients cut off e-mails after 100 kB. */
function htmlItem({ mark, title, path, aside, text, about }: ListItem, publicUrl: string): string {
  return `<tr><td class="rule" dir="auto" style="padding:10px 0;border-bottom:1px solid #e4e7ec;${FONT};font-size:14px;line-height:1.5;overflow-wrap:anywhere">
<span class="${mark.tone}" style="${TONES[mark.tone]};padding:1px 6px;border-radius:4px;font-size:11px;font-weight:600">${escapeHtml(mark.text)}</span>
<a class="accent" href="${escapeHtml(publicUrl + path)}" style="color:#0f6e84;font-weight:600">${escapeHtml(title)}</a>
<span class="dim" style="font-size:12px;color:#5b6776;white-space:nowrap">${escapeHtml(aside)}</span>
<div class="ink" style="color:#16202c">${escapeHtml(text)}</div>
<div class="dim" style="font-size:12px;color:#5b6776">${escapeHtml(about)}</div>
</td></tr>`
}

/** Links with enough space between them for touch. */
function htmlLinks(links: readonly { label: string; path: string }[], publicUrl: string): string {
  const anchors = links.map(
    ({ label, path }) =>
      `<a class="dim" href="${escapeHtml(publicUrl + path)}" style="display:inline-block;margin:0 18px 0 0;padding:4px 0;color:#5b6776">${escapeHtml(label)}</a>`,
  )
  return `<p class="dim" style="margin:8px 0 0;${FONT};font-size:13px;line-height:1.55;color:#5b6776">${anchors.join('\n')}</p>`
}

function htmlButton({ label, path }: { label: string; path: string }, publicUrl: string): string {
  return `<p style="margin:20px 0 0"><a class="button" href="${escapeHtml(publicUrl + path)}" style="display:inline-block;padding:11px 20px;border-radius:8px;background:#0f6e84;color:#ffffff;${FONT};font-size:15px;font-weight:570;text-decoration:none">${escapeHtml(label)}</a></p>`
}

/**
 * Adds the e-mail styles to sanitised HTML. Its texts and attributes contain no bare `<`, so every `<` starts an
 * element.
 */
function styledHtml(html: string): string {
  return html.replace(/<([a-z][a-z0-9]*)(?=[\s/>])/g, (start, tag: string) => {
    const found = styles[tag]
    return found ? `${start} class="${found[0]}" style="${found[1]}"` : start
  })
}
