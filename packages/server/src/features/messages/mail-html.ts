/** HTML as mail programs agree on it: each element with a style of its own, for many of them drop those of the head. */

export const FONT = "font-family:Inter,'Segoe UI',system-ui,-apple-system,Roboto,Helvetica,Arial,sans-serif"
export const MONO = "font-family:ui-monospace,'SF Mono',Menlo,Consolas,'Liberation Mono',monospace"

const INK = 'color:#16202c'
const TEXT = `${FONT};font-size:15px;line-height:1.55;${INK};overflow-wrap:anywhere`
const CELL = `padding:6px 10px;border:1px solid #e4e7ec;text-align:left;vertical-align:top;${FONT};font-size:14px;line-height:1.5;${INK}`

/** By element: the class that its dark colours hang on, and its style. What is not named inherits. */
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

/** Sanitised HTML with the styles of a mail. Its texts and attributes hold no bare `<`, so every one begins an element. */
export function styledHtml(html: string): string {
  return html.replace(/<([a-z][a-z0-9]*)(?=[\s/>])/g, (start, tag: string) => {
    const found = styles[tag]
    return found ? `${start} class="${found[0]}" style="${found[1]}"` : start
  })
}
