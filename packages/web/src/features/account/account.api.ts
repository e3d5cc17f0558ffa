import type { OwnSession } from '@benchwatch/contract/account'
import type { ErrorCode } from '@benchwatch/contract/errors'
import { queryOptions } from '@tanstack/react-query'
import { ApiError, call } from '../../lib/http.ts'

/** One's own account: where one is signed in, and the second factor. */

const texts: Partial<Record<ErrorCode, string>> = {
  'bad-credentials': 'That is not your password.',
  'wrong-code': 'Incorrect verification code.',
  'attempts-exceeded': 'Password attempts exceeded.',
}

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

/** Why a change of one's own account failed; what the server says passes through otherwise. */
export function accountMessage(error: unknown): string {
  if (!(error instanceof ApiError)) return 'Internal error. Please reload the page.'
  return texts[error.code as ErrorCode] ?? error.message
}
