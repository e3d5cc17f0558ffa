import { limits } from '@benchwatch/contract/vocabulary'
import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { folded } from '../../lib/folded.ts'
import { readListSearch } from '../../lib/list/list-address.ts'
import type { Column } from '../../ui/list/list-columns.ts'
import { ListFrame } from '../../ui/list/list-frame.tsx'
import { EmptyState, RetryLine } from '../../ui/text/notice.tsx'
import { customerEmailsQuery, pcNamesQuery } from './backoffice.api.ts'

interface InstrumentContact {
  instrumentInstalledProductId: string
  instrumentCustomer: string
  contactEmails: string[]
}

/** Lists the contacts of each instrument and the UNICORN computers linked to it. */
export function InstrumentContacts() {
  const [search, setSearch] = useState(() => readListSearch({}))
  const contacts = useQuery(customerEmailsQuery())
  const found = foundContacts(contacts.data ?? [], search.keyword)
  const from = (search.page - 1) * search.pageSize
  const page = found.slice(from, from + search.pageSize)
  const names = useQuery(pcNamesQuery(page.map((row) => row.instrumentInstalledProductId)))

  const columns: Column<InstrumentContact>[] = [
    {
      key: 'ipid',
      label: 'Installed product ID',
      grow: 1.1,
      cell: ({ instrumentInstalledProductId }) => (
        <Link to="/instruments/$instrumentId" params={{ instrumentId: instrumentInstalledProductId }}>
          {instrumentInstalledProductId}
        </Link>
      ),
    },
    { key: 'customer', label: 'Customer', grow: 1.3, cell: ({ instrumentCustomer }) => instrumentCustomer },
    {
      key: 'emails',
      label: 'Customer e-mails',
      grow: 1.9,
      cell: ({ contactEmails }) => (contactEmails.length === 0 ? '–' : contactEmails.join(', ')),
    },
    {
      key: 'pcs',
      label: 'UNICORN PC names',
      grow: 1.5,
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
        label="Customer e-mails and PC names"
        columns={columns}
        rowKey={(row) => row.instrumentInstalledProductId}
        answer={{ ...contacts, data: contacts.data && { values: page, total: found.length } }}
        failureTitle="Could not get customer e-mails"
        empty={
          <EmptyState title="No instrument(s) found">
            {search.keyword === ''
              ? 'The customers that you can see have no instruments.'
              : `No ID, customer or address contains “${search.keyword}”.`}
          </EmptyState>
        }
      />
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
