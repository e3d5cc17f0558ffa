import type { Severity } from '@benchwatch/contract/vocabulary'
import { type RawBuilder, sql } from 'kysely'

/** Stored severities of events and templates: numbers that sort by importance. */
export const severityCodes: Record<Severity, number> = { low: 1, medium: 2, high: 3 }

const words = new Map(Object.entries(severityCodes).map(([word, code]) => [code, word as Severity]))

export function severityOf(code: number): Severity {
  const word = words.get(code)
  if (word === undefined) throw new Error(`The stored severity ${code} is unknown.`)
  return word
}

/** Converts a stored severity to its name in SQL; null stays null. */
export function severityWord(column: string): RawBuilder<Severity> {
  return sql<Severity>`(ARRAY['low', 'medium', 'high'])[${sql.ref(column)}]`
}
