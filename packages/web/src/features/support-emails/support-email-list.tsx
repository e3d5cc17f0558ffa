import type { SupportEmail } from '@benchwatch/contract/messages/support-emails'
import { Badge, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { formatInstrumentDate, formatTooltipTime } from '../../lib/time/dates.ts'
import { DataTable } from '../../ui/list/data-table.tsx'
import type { Column } from '../../ui/list/list-columns.ts'
import { RetryLine } from '../../ui/text/notice.tsx'
import { supportEmailsQuery } from './support-emails.api.ts'

/**
 * Lists the errors for which the contact of an instrument gets automatic e-mails, and those the contact unsubscribed
 * from: document 2 section 4.
 */
export function SupportEmailList({
  instrument,
}: {
  instrument: { instrumentInstalledProductId: string; instrumentType: string }
}) {
  const emails = useQuery(supportEmailsQuery(instrument))
  if (emails.data === undefined && emails.isError)
    return (
      <Text component="div" c="dimmed" p="18px 16px 20px">
        <RetryLine onRetry={() => void emails.refetch()}>Could not get automated support emails.</RetryLine>
      </Text>
    )
  if (emails.data?.length === 0)
    return (
      <Text c="dimmed" p="18px 16px 20px">
        No automated support emails exist for instruments of this type.
      </Text>
    )
  return (
    <DataTable
      label="Automated support emails"
      columns={columns}
      rows={emails.data}
      rowKey={({ componentName, errorCode }) => `${componentName} ${errorCode}`}
      expectedRows={4}
    />
  )
}

const columns: Column<SupportEmail>[] = [
  {
    key: 'component',
    label: 'Component',
    grow: 1.1,
    cell: ({ componentName }) => <span dir="auto">{componentName}</span>,
  },
  { key: 'error', label: 'Error', width: 60, cell: ({ errorCode }) => errorCode },
  { key: 'subject', label: 'Subject', grow: 1.8, cell: ({ subject }) => <span dir="auto">{subject}</span> },
  {
    key: 'state',
    label: 'E-mail',
    grow: 1.6,
    cell: (email) => (email.unsubscribed ? <Off email={email} /> : <StateIcon isOn />),
  },
]

/** Shows 'Off', since when and by whom; marked if it is for 30 days. */
function Off({ email: { unsubscriptionDate, contactEmail, expires } }: { email: SupportEmail }) {
  return (
    <div>
      <Group gap={8}>
        <StateIcon isOn={false} />
        {expires !== null && (
          <Badge variant="default" size="sm" radius={5} title={`E-mails start again on ${formatTooltipTime(expires)}`}>
            30 days
          </Badge>
        )}
      </Group>
      <Text
        size="xs"
        c="dimmed"
        title={unsubscriptionDate === null ? undefined : formatTooltipTime(unsubscriptionDate)}
      >
        Unsubscribed {formatInstrumentDate(unsubscriptionDate)} by <bdi>{contactEmail}</bdi>
      </Text>
      {expires !== null && (
        <Text size="xs" c="dimmed">
          On again from {formatInstrumentDate(expires)}
        </Text>
      )}
    </div>
  )
}

function StateIcon({ isOn }: { isOn: boolean }) {
  return (
    <Group component="span" gap={5} fw={570} c={isOn ? 'var(--bw-success)' : 'var(--bw-danger)'}>
      <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
        <path
          d={isOn ? 'M2 6.4 4.8 9.2 10 3' : 'M2.6 2.6l6.8 6.8M9.4 2.6 2.6 9.4'}
          fill="none"
          stroke="currentColor"
          strokeWidth="1.8"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      {isOn ? 'On' : 'Off'}
    </Group>
  )
}
