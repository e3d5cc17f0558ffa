import type { ErrorCode } from '@benchwatch/contract/errors'
import { ApiError } from '../../lib/http.ts'

const texts: Partial<Record<ErrorCode, string>> = {
  'bad-credentials': 'That is not your password.',
  'wrong-code': 'Incorrect verification code.',
  'attempts-exceeded': 'Password attempts exceeded.',
}

/** Why a change of one's own account failed; what the server says passes through otherwise. */
export function accountMessage(error: unknown): string {
  if (!(error instanceof ApiError)) return 'Internal error. Please reload the page.'
  return texts[error.code as ErrorCode] ?? error.message
}
