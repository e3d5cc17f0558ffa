import type { Severity } from '@benchwatch/contract/vocabulary'
import { type RawBuilder, sql } from 'kysely'

/** How severities are stored, of events and of templates: numbers that sort as people expect. */
export const severityCodes: Record<Severity, number> = { low: 1, medium: 2, high: 3 }

const words = new Map(Object.entries(severityCodes).map(([word, code]) => [code, word as Severity]))

export function severityOf(code: number): Severity {
  const word = words.get(code)
  if (word === undefined) throw new Error(`A severity of ${code} is stored, which stands for nothing.`)
  return word
}

/** The same in SQL, for rows that are told as they are read; null for null. */
export function severityWord(column: string): RawBuilder<Severity> {
  return sql<Severity>`(ARRAY['low', 'medium', 'high'])[${sql.ref(column)}]`
}
