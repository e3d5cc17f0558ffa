import type { ErrorCode } from '@benchwatch/contract/errors'
import type { OwnSession } from '@benchwatch/contract/users/account'
import { queryOptions } from '@tanstack/react-query'
import { ApiError, call } from '../../lib/http.ts'

/** The caller's own account: sessions and second factor. */

const texts: Partial<Record<ErrorCode, string>> = {
  'bad-credentials': 'Incorrect password.',
  'wrong-code': 'Incorrect verification code.',
  'attempts-exceeded': 'Password attempts exceeded.',
}

/** The user's sessions, most recently active first. */
export function sessionsQuery() {
  return queryOptions({
    queryKey: ['account', 'sessions'],
    queryFn: async ({ signal }): Promise<OwnSession[]> => (await call('listMySessions', { signal })).values,
  })
}

export function secondFactorQuery() {
  return queryOptions({
    queryKey: ['account', 'second-factor'],
    queryFn: ({ signal }) => call('getSecondFactor', { signal }),
  })
}

/**
 * Returns why a change of the user's account failed. Messages of the server pass through unless `texts` replaces them.
 */
export function accountMessage(error: unknown): string {
  if (!(error instanceof ApiError)) return 'Internal error. Please reload the page.'
  return texts[error.code as ErrorCode] ?? error.message
}
