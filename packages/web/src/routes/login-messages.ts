import type { ErrorCode } from '@benchwatch/contract/errors'
import { ApiError } from '../lib/http.ts'

/** What a person reads when signing in fails: specification, section 8. Other messages pass through. */
const texts: Partial<Record<ErrorCode, string>> = {
  'bad-credentials': 'Incorrect username or password',
  // An over-long or malformed entry is no user either.
  'validation-failed': 'Incorrect username or password',
  'attempts-exceeded': 'Password attempts exceeded.',
  'too-many-requests': 'Too many requests, please try again later.',
}

export function loginMessage(error: unknown): string {
  if (!(error instanceof ApiError)) return 'Internal error. Please reload the page.'
  return texts[error.code as ErrorCode] ?? error.message
}
