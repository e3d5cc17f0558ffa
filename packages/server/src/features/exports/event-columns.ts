import { type ServiceEvent, serviceEvent } from '@benchwatch/contract/service-events'
import { alertStatusLabels, type ExportDetails, severityLabels } from '@benchwatch/contract/vocabulary'
import type { CsvValue } from './csv.ts'

/** A column of the file: its head and what stands in it. */
export interface CsvColumn {
  head: string
  value: (event: ServiceEvent) => CsvValue
}

/** As on screen: the columns of the list with their labels. What the list draws relative to now is an instant here. */
const basic: readonly CsvColumn[] = [
  { head: 'Severity', value: ({ severity }) => severityLabels[severity] },
  { head: 'Created (UTC)', value: ({ createdAt }) => createdAt },
  { head: 'Event', value: ({ eventId }) => `ORC-${eventId}` },
  { head: 'Description', value: ({ description }) => description },
  { head: 'Instrument status', value: ({ instrumentStatus }) => instrumentStatus },
  {
    head: 'Instrument',
    value: ({ instrumentProductDescription, gatewayName }) => instrumentProductDescription ?? gatewayName,
  },
  { head: 'Product ID', value: ({ instrumentInstalledProductId }) => instrumentInstalledProductId },
  { head: 'Location', value: ({ siteCity, siteCountry }) => [siteCity, siteCountry].filter(Boolean).join(', ') },
  { head: 'Customer', value: ({ enterpriseName }) => enterpriseName },
  { head: 'Owner', value: ({ claimedByName }) => claimedByName },
  { head: 'Status', value: ({ alertStatus }) => alertStatusLabels[alertStatus] },
  { head: 'E-mail sent (UTC)', value: ({ automaticEmailSentAt }) => automaticEmailSentAt },
]

type PlainField = Exclude<keyof ServiceEvent, 'automaticEmail'>

const mailParts = ['contactName', 'email', 'subject', 'body'] as const

/** Every field under its name on the wire, in the order of the contract; the automatic e-mail as its four parts. */
const full: readonly CsvColumn[] = (Object.keys(serviceEvent.shape) as (keyof ServiceEvent)[]).flatMap(
  (field): CsvColumn[] =>
    field === 'automaticEmail'
      ? mailParts.map((part) => ({
          head: `automaticEmail.${part}`,
          value: ({ automaticEmail }) => automaticEmail?.[part],
        }))
      : [plainColumn(field)],
)

function plainColumn(field: PlainField): CsvColumn {
  return { head: field, value: (event) => event[field] }
}

export const csvColumns: Record<ExportDetails, readonly CsvColumn[]> = { BASIC: basic, FULL: full }
