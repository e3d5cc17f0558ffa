import { MAX_ADDRESS_LENGTH } from '@benchwatch/contract/field-rules'
import { Button, Paper, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isSame } from '../../lib/draft.ts'
import { reasonOf } from '../../lib/folded.ts'
import { useRecordForm } from '../../ui/form/record-form.tsx'
import { DataTable } from '../../ui/list/data-table.tsx'
import type { Column } from '../../ui/list/list-columns.ts'
import { confirm } from '../../ui/overlay/confirm.tsx'
import { showFailure, showSuccess, useFailureToast } from '../../ui/overlay/toasts.ts'
import { EmptyState } from '../../ui/text/notice.tsx'
import { unsubscriptionsQuery, useDeleteUnsubscription } from './backoffice.api.ts'
import { ToolForm } from './tool-form.tsx'

const fields = [
  { field: 'contactEmail', label: 'Contact e-mail', maxLength: MAX_ADDRESS_LENGTH },
  { field: 'instrumentIpid', label: 'Installed product ID', maxLength: 64 },
  { field: 'componentName', label: 'Component', maxLength: 120 },
  { field: 'errorCode', label: 'Error code', maxLength: 40 },
] as const

type Search = Record<(typeof fields)[number]['field'], string>
const empty: Search = { contactEmail: '', instrumentIpid: '', componentName: '', errorCode: '' }

interface Unsubscription {
  id: string
  contactEmail: string
  instrumentIpid: string
  componentName: string
  errorCode: string
}

/** Finds unsubscriptions of contacts and deletes them, so that the contacts get e-mails again. */
export function DeleteUnsubscriptions() {
  const [search, setSearch] = useState<Partial<Search> | null>(null)
  const found = useQuery({ ...unsubscriptionsQuery(search ?? {}), enabled: search !== null })
  useFailureToast(found, 'Failed to fetch unsubscriptions')
  const remove = useDeleteUnsubscription()
  const form = useRecordForm<Search>({
    record: empty,
    save: async (values) => {
      const typed = Object.fromEntries(
        Object.entries(values).flatMap(([field, text]) => (text.trim() === '' ? [] : [[field, text.trim()]])),
      )
      if (isSame(typed, search)) void found.refetch()
      else setSearch(typed)
      return values
    },
  })

  async function handleDelete({ id, contactEmail, errorCode, instrumentIpid }: Unsubscription) {
    const message = `Delete the unsubscription of ${contactEmail} from error ${errorCode} of ${instrumentIpid}? They will receive e-mails about it again.`
    if (!(await confirm({ message, confirmLabel: 'Delete', isDestructive: true }))) return
    try {
      await remove.mutateAsync(id)
      showSuccess({ title: 'Unsubscription successfully deleted' })
    } catch (error) {
      const why = reasonOf(error)
      showFailure({ title: `Could not delete unsubscription: ${why}` })
    }
  }

  const columns: Column<Unsubscription>[] = [
    { key: 'email', label: 'Contact e-mail', grow: 2.2, cell: ({ contactEmail }) => contactEmail },
    { key: 'ipid', label: 'Installed product ID', grow: 1.2, cell: ({ instrumentIpid }) => instrumentIpid },
    { key: 'component', label: 'Component', grow: 1.6, cell: ({ componentName }) => componentName || '–' },
    { key: 'error', label: 'Error code', grow: 0.8, cell: ({ errorCode }) => errorCode },
    {
      key: 'action',
      label: 'Action',
      width: 92,
      cell: (one) => (
        <Button
          variant="default"
          size="compact-sm"
          aria-label={`Delete the unsubscription of ${one.contactEmail} from ${one.errorCode}`}
          onClick={() => void handleDelete(one)}
        >
          Delete
        </Button>
      ),
    },
  ]

  return (
    <ToolForm
      title="Delete unsubscriptions"
      anchor="unsubscriptions"
      intro="Each field matches part of a value. Without any, the search returns the newest 200. Contacts receive e-mails again once their unsubscription is deleted."
      submitLabel="Search"
      form={form}
      isPending={found.isFetching}
      onClear={() => {
        form.accept(empty)
        setSearch(null)
      }}
      outcome={
        search !== null &&
        !found.isError && (
          <Paper withBorder radius={8} mt={16}>
            {found.data?.length === 0 ? (
              <EmptyState title="No unsubscriptions found" />
            ) : (
              <DataTable
                label="Unsubscriptions"
                columns={columns}
                rows={found.data}
                rowKey={({ id }) => id}
                expectedRows={3}
              />
            )}
          </Paper>
        )
      }
    >
      {fields.map(({ field, label, maxLength }) => (
        <TextInput
          key={field}
          label={label}
          maxLength={maxLength}
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps(field)}
        />
      ))}
    </ToolForm>
  )
}
