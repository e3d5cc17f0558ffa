import { type RawBuilder, type SqlBool, sql } from 'kysely'

/**
 * Conditions on service events, independent of who evaluates them: PostgreSQL and ClickHouse compile them to SQL
 * (`toSql`), the index in memory to a match over its arrays. A search is made of nothing else, so every engine selects
 * the same events.
 *
 * Names were resolved to ids before, in the small tables (`filters.queries.ts`), so conditions compare numbers alone. An event
 * without a value, such as an edge issue without an instrument, matches no condition on it, and so every `not` of one.
 */
export type Condition =
  | { is: 'anyOf'; column: CodeColumn; values: readonly number[] }
  /** The instrument of the event is one of these and still belongs to the customer of the event. Same order in both. */
  | { is: 'belongsNow'; instruments: readonly number[]; customers: readonly number[] }
  /** Both ends inclusive. */
  | { is: 'idBetween'; from: number; to: number }
  /** `at` or later, earlier than `at`, `at` or earlier. */
  | { is: 'from' | 'before' | 'until'; column: InstantColumn; at: Date }
  | { is: 'open' }
  | { is: 'withoutOwner' }
  /** Raised under a 24-hour contract; open events follow their contract. */
  | { is: 'fullSupport' }
  /** Description or user message contain this folded word. */
  | { is: 'containing'; word: string }
  /** An empty `all` matches every event, an empty `any` none. */
  | { is: 'all' | 'any'; of: readonly Condition[] }
  | { is: 'not'; of: Condition }

/** Columns that contain an id or a code. `gateway` is set for edge issues alone. */
export type CodeColumn =
  | 'id'
  | 'severity'
  | 'alertType'
  | 'alertStatus'
  | 'closeReason'
  | 'component'
  | 'site'
  | 'instrument'
  | 'run'
  | 'customer'
  | 'owner'
  | 'gateway'

export type InstantColumn = 'createdAt' | 'lastActionAt'

/** The parts of a condition that SQL engines write differently. */
export interface SqlDialect {
  anyOf(column: CodeColumn, values: readonly number[]): RawBuilder<SqlBool>
  belongsNow(instruments: readonly number[], customers: readonly number[]): RawBuilder<SqlBool>
  containing(word: string): RawBuilder<SqlBool>
  instant(at: Date): RawBuilder<unknown>
  column(name: CodeColumn | InstantColumn): RawBuilder<unknown>
  isOpen: RawBuilder<SqlBool>
  isWithoutOwner: RawBuilder<SqlBool>
  isFullSupport: RawBuilder<SqlBool>
}

const comparisons = { from: sql`>=`, before: sql`<`, until: sql`<=` }

/** Compiles a condition on the events `e`. */
export function toSql(condition: Condition, dialect: SqlDialect): RawBuilder<SqlBool> {
  switch (condition.is) {
    case 'anyOf':
      return dialect.anyOf(condition.column, condition.values)
    case 'belongsNow':
      return dialect.belongsNow(condition.instruments, condition.customers)
    case 'idBetween':
      return sql`${dialect.column('id')} BETWEEN ${condition.from} AND ${condition.to}`
    case 'from':
    case 'before':
    case 'until':
      return sql`${dialect.column(condition.column)} ${comparisons[condition.is]} ${dialect.instant(condition.at)}`
    case 'open':
      return dialect.isOpen
    case 'withoutOwner':
      return dialect.isWithoutOwner
    case 'fullSupport':
      return dialect.isFullSupport
    case 'containing':
      return dialect.containing(condition.word)
    case 'not':
      return sql`(${toSql(condition.of, dialect)}) IS NOT TRUE`
    case 'all':
      return joined(condition.of, { dialect, by: sql` AND `, empty: sql`true` })
    case 'any':
      return joined(condition.of, { dialect, by: sql` OR `, empty: sql`false` })
  }
}

function joined(
  of: readonly Condition[],
  { dialect, by, empty }: { dialect: SqlDialect; by: RawBuilder<unknown>; empty: RawBuilder<SqlBool> },
): RawBuilder<SqlBool> {
  if (of.length === 0) return empty
  return sql`(${sql.join(
    of.map((one) => toSql(one, dialect)),
    by,
  )})`
}
