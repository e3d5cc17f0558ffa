/**
 * CSV as RFC 4180 has it: CRLF after every row, quotes around what holds a comma, a quote or a line break. Own code: each
 * cell must be looked at for formulas anyway, and a library would only add the quotes.
 */

/** One value; numbers and booleans stand as they are, absent ones are empty. */
export type CsvValue = string | number | boolean | null | undefined

/** Tells a spreadsheet that the file is UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF'

export function csvRow(values: readonly CsvValue[]): string {
  let row = ''
  for (let index = 0; index < values.length; index += 1) {
    if (index > 0) row += ','
    row += csvCell(values[index])
  }
  return `${row}\r\n`
}

const needsQuotes = /[",\r\n]/

function csvCell(value: CsvValue): string {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'string') return String(value)
  const text = isFormula(value) ? `'${value}` : value
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A spreadsheet would execute it; the apostrophe makes it a text (3-decisions 8). */
function isFormula(text: string): boolean {
  switch (text.charCodeAt(0)) {
    case 0x09: // tab
    case 0x0d: // CR
    case 0x2b: // +
    case 0x2d: // -
    case 0x3d: // =
    case 0x40: // @
      return true
    default:
      return false
  }
}
