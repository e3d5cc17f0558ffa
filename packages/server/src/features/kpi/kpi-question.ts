import { text } from '@benchwatch/contract/primitives'
import { z } from 'zod'
import type { DataScope } from '../../db/actor.ts'
import { problem } from '../../platform/http/problem.ts'

/** Parameters of a measure: events of these customers that were created in this period, in their present state. */
export interface KpiQuestion {
  scope: DataScope
  /** Half-open: from ≤ t < until. */
  from: Date
  until: Date
  now: Date
}

export const LONGEST_RANGE_DAYS = 400
const DAY_MS = 86_400_000
/** As for all instants in requests. */
const FIRST_YEAR = 1970
const LAST_YEAR = 9998

/**
 * Returns the time from the beginning of the first day to the end of the last one, in UTC. Throws invalid-parameter.
 */
export function parseRange({ from, to }: { from: string; to: string }): { from: Date; until: Date } {
  const start = Date.parse(`${from}T00:00:00Z`)
  const until = Date.parse(`${to}T00:00:00Z`) + DAY_MS
  if (Number(from.slice(0, 4)) < FIRST_YEAR)
    throw problem('invalid-parameter', `from: the year must be ${FIRST_YEAR} or later.`)
  if (Number(to.slice(0, 4)) > LAST_YEAR)
    throw problem('invalid-parameter', `to: the year must be ${LAST_YEAR} or earlier.`)
  if (until <= start) throw problem('invalid-parameter', 'to: the last day must not be before the first day.')
  if (until - start > LONGEST_RANGE_DAYS * DAY_MS)
    throw problem('invalid-parameter', `to: choose at most ${LONGEST_RANGE_DAYS} days.`)
  return { from: new Date(start), until: new Date(until) }
}

const namesOfCustomers = z.array(text(20_000))

/** Returns the names of customers from a JSON list; undefined for all. Throws invalid-parameter. */
export function parseCustomerNames(list: string | undefined): string[] | undefined {
  if (list === undefined) return undefined
  const { data } = namesOfCustomers.safeParse(parsed(list))
  if (data) return data
  throw problem('invalid-parameter', 'customers: must be a JSON list of names, such as ["Helix Biologics"].')
}

function parsed(list: string): unknown {
  try {
    return JSON.parse(list)
  } catch {
    return undefined
  }
}
