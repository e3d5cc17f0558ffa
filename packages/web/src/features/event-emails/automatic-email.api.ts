import type { InstrumentType } from '@benchwatch/contract/vocabulary'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/http.ts'
import { eventEmailKeys } from './event-emails.api.ts'

/** What would go out by itself about an error. A file of its own, because the list of events does without. Wire 2. */

/** An error of a type of instruments, as templates of support e-mails are found. */
export interface WarningName {
  instrumentType: InstrumentType
  eisCode: string
  errorCode: string
}

/** The subject of the mail that goes out by itself about an error, its placeholders as they are; null when none does. */
export function automaticEmailSubjectQuery(error: WarningName) {
  return queryOptions({
    queryKey: [...eventEmailKeys.all, 'automatic-subject', error],
    queryFn: async ({ signal }) => (await call('getAutomaticEmailSubject', { query: { ...error }, signal })).subject,
    staleTime: 60_000,
  })
}
