import type { Report } from './report-model.ts'

/**
 * What stands at the edges of every printed page: the report's name and date above, its instrument and the number of the page
 * below. Margin boxes of CSS cost no room of the content and are laid out by the browser; one that lacks them prints its own.
 */
export function PageBoxes({ head }: { head: Report['head'] }) {
  return (
    <style>
      {`@media print {
  @page {
    size: A4;
    margin: 19mm 15mm 17mm;
    @top-left { content: ${quoted(`${head.title} · ${head.subtitle}`)}; ${type} }
    @top-right { content: ${quoted(head.date)}; ${type} }
    @bottom-left { content: ${quoted(head.instrument)}; ${type} }
    @bottom-right { content: counter(page) " of " counter(pages); ${type} }
  }
}`}
    </style>
  )
}

const type = 'font: 8pt "Inter Variable", Inter, sans-serif; color: #566271;'

/** A text as a string of CSS. Names come from registries: quotes, backslashes and line ends must not end it. */
export function quoted(text: string): string {
  return `"${text.replace(/["\\\p{Cc}]/gu, (character) => `\\${character.codePointAt(0)?.toString(16)} `)}"`
}
