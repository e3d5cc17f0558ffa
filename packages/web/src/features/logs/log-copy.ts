import type { LogField, LogHit } from '@benchwatch/contract/logs'

/**
 * Lines as text for a ticket or a mail: the instant as it was stored, so that it means the same to everybody, then the
 * fields of that log. Blanks stand between them and not tabs, because a spreadsheet would take a message that begins with
 * an equals sign for a formula in a cell of its own.
 */
export function copiedLine({ _source }: LogHit, columns: readonly LogField[]): string {
  const fields = columns.map((field) => _source[field]?.trim() || '-')
  return [_source['@timestamp'], ...fields].join('  ')
}

export function copiedLines(hits: readonly LogHit[], columns: readonly LogField[]): string {
  return hits.map((hit) => `${copiedLine(hit, columns)}\n`).join('')
}
