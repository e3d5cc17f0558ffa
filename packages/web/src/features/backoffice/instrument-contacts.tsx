import { limits } from '@benchwatch/contract/vocabulary'
import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { folded } from '../../lib/folded.ts'
import { DataTable, type TableColumn } from '../../ui/list/data-table.tsx'
import { ListFrame } from '../../ui/list/list-frame.tsx'
import { EmptyState, RetryLine } from '../../ui/text/notice.tsx'
import { customerEmailsQuery, pcNamesQuery } from './backoffice.api.ts'

interface InstrumentContact {
  instrumentInstalledProductId: string
  instrumentCustomer: string
  contactEmails: string[]
}

interface Row {
  instrumentInstalledProductId: string
  instrumentCustomer: string
  contactEmails: string[]
}

/** Lists the contacts of each instrument and the UNICORN computers linked to it. */
export function InstrumentContacts() {
  const [search, setSearch] = useState({ keyword: '', page: 1, pageSize: 25 })
  const contacts = useQuery(customerEmailsQuery())
  const found = foundContacts(contacts.data ?? [], search.keyword)
  const from = (search.page - 1) * search.pageSize
  const page = found.slice(from, from + search.pageSize)
  const names = useQuery(pcNamesQuery(page.map((row) => row.instrumentInstalledProductId)))

  const columns: TableColumn<Row>[] = [
    {
      key: 'ipid',
      label: 'Installed product ID',
      width: '1.1fr',
      cell: ({ instrumentInstalledProductId }) => (
        <Link to="/instruments/$instrumentId" params={{ instrumentId: instrumentInstalledProductId }}>
          {instrumentInstalledProductId}
        </Link>
      ),
    },
    { key: 'customer', label: 'Customer', width: '1.3fr', cell: ({ instrumentCustomer }) => instrumentCustomer },
    {
      key: 'emails',
      label: 'Customer e-mails',
      width: '1.9fr',
      cell: ({ contactEmails }) => (contactEmails.length === 0 ? '–' : contactEmails.join(', ')),
    },
    {
      key: 'pcs',
      label: 'UNICORN PC names',
      width: '1.5fr',
      cell: ({ instrumentInstalledProductId }) =>
        names.data === undefined ? '…' : (names.data[instrumentInstalledProductId] ?? []).join(', ') || '–',
    },
  ]

  return (
    <Stack gap={14}>
      {names.isError && (
        <RetryLine onRetry={() => void names.refetch()}>Could not get the PC names: {names.error.message}</RetryLine>
      )}
      <ListFrame
        searchLabel="Search instruments and addresses"
        keywordLength={limits.keyword}
        search={search}
        onSearch={setSearch}
        list={{
          data: contacts.data === undefined ? undefined : { values: page, total: found.length },
          error: contacts.error,
          isPlaceholderData: false,
          refetch: contacts.refetch,
        }}
        failureTitle="Could not get customer e-mails"
        empty={
          <EmptyState title="No instrument(s) found">
            {search.keyword === ''
              ? 'The customers that you can see have no instruments.'
              : `No ID, customer or address contains “${search.keyword}”.`}
          </EmptyState>
        }
      >
        <DataTable
          label="Customer e-mails and PC names"
          columns={columns}
          rows={contacts.data === undefined ? undefined : page}
          rowKey={(row) => row.instrumentInstalledProductId}
        />
      </ListFrame>
    </Stack>
  )
}

/**
 * Returns the instruments whose ID, customer or contact address contains every word of `keyword`, ignoring case and
 * accents.
 */
export function foundContacts<Row extends InstrumentContact>(rows: readonly Row[], keyword: string): Row[] {
  const words = folded(keyword).split(/\s+/).filter(Boolean)
  if (words.length === 0) return [...rows]
  return rows.filter(({ instrumentInstalledProductId, instrumentCustomer, contactEmails }) => {
    const text = folded([instrumentInstalledProductId, instrumentCustomer, ...contactEmails].join('\n'))
    return words.every((word) => text.includes(word))
  })
}
