import type { OwnSession } from '@benchwatch/contract/account'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/http.ts'

/** One's own account: where one is signed in, and the second factor. */

export const accountKeys = {
  sessions: ['account', 'sessions'] as const,
  secondFactor: ['account', 'second-factor'] as const,
}

/** Where the person is signed in, the latest activity first. */
export function sessionsQuery() {
  return queryOptions({
    queryKey: accountKeys.sessions,
    queryFn: async ({ signal }): Promise<OwnSession[]> => (await call('listMySessions', { signal })).values,
  })
}

export function secondFactorQuery() {
  return queryOptions({
    queryKey: accountKeys.secondFactor,
    queryFn: ({ signal }) => call('getSecondFactor', { signal }),
  })
}
