import type { InstrumentType } from '@benchwatch/contract/vocabulary'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/http.ts'

/** The door to automatic support e-mails. Wire 3. */

/** About which errors the contact of an instrument is mailed by itself, and which of them they unsubscribed from. */
export function supportEmailsQuery(instrument: {
  instrumentInstalledProductId: string
  instrumentType: InstrumentType
}) {
  const { instrumentInstalledProductId: instrumentIpid, instrumentType } = instrument
  return queryOptions({
    queryKey: ['support-emails', instrumentIpid] as const,
    queryFn: ({ signal }) => call('listSupportEmails', { query: { instrumentIpid, instrumentType }, signal }),
    staleTime: 60_000,
  })
}
