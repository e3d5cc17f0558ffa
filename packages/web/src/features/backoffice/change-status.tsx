import { INSTALLED_PRODUCT_ID } from '@benchwatch/contract/patterns'
import { type InstrumentStatus, instrumentStatuses, type OrcStatus, orcStatuses } from '@benchwatch/contract/vocabulary'
import { Checkbox, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRecordForm } from '../../ui/form/record-form.tsx'
import { showSuccess } from '../../ui/overlay/toasts.ts'
import { instrumentStatusQuery, useSetInstrumentStatus } from './backoffice.api.ts'
import { failureToast, InstrumentInput, type OnUnsaved, ToolForm } from './tool-form.tsx'

interface Values {
  ipid: string
  /** Empty: the current status. */
  instrumentStatus: InstrumentStatus | ''
  orcStatus: OrcStatus | ''
  createOfflineEvent: boolean
}

const empty: Values = { ipid: '', instrumentStatus: '', orcStatus: '', createOfflineEvent: false }

const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
const isLost = (status: OrcStatus | '') => status === 'Disconnected' || status === 'Edge Issue'

/** Sets the statuses of an instrument as if it had reported them. The fields start with the current values. */
export function ChangeStatus({ onUnsaved }: { onUnsaved: OnUnsaved }) {
  const set = useSetInstrumentStatus()
  const form = useRecordForm<Values>({
    record: empty,
    keepOnPage: 'change status',
    problemsOf: ({ ipid }) => ({ ...(ipid === '' && { ipid: 'Installed product ID cannot be empty.' }) }),
    save: async ({ ipid, createOfflineEvent, ...chosen }) => {
      const known = now.data ?? (await now.refetch({ throwOnError: true })).data
      if (known === undefined) throw new Error('Choose an instrument that you can see.')
      const orcStatus = chosen.orcStatus || known.orcStatus
      await set.mutateAsync({
        ipid,
        instrumentStatus: chosen.instrumentStatus || known.instrumentStatus,
        orcStatus,
        createOfflineEvent: createOfflineEvent && isLost(orcStatus),
      })
      showSuccess({ title: 'Instrument status changed' })
      return { ...empty, ipid }
    },
    onFailure: failureToast('Could not change instrument status'),
  })
  const { ipid } = form.values
  const now = useQuery({ ...instrumentStatusQuery(ipid), enabled: INSTALLED_PRODUCT_ID.test(ipid) })
  const orcStatus = form.values.orcStatus || (now.data?.orcStatus ?? '')
  const instrumentStatus = form.values.instrumentStatus || (now.data?.instrumentStatus ?? '')
  const options = (chosen: string, statuses: readonly string[]) => [
    ...(chosen === '' ? [{ value: '', label: 'Choose an instrument first' }] : []),
    ...statuses.map((status) => ({ value: status, label: capitalised(status) })),
  ]
  return (
    <ToolForm
      form={form}
      title="Change instrument status"
      anchor="change-status"
      intro="Sets both statuses as if the instrument had reported them. They last until its next report."
      submitLabel="Change status"
      onUnsaved={onUnsaved}
      onClear={() => form.accept(empty)}
    >
      <div data-wide>
        <InstrumentInput
          required
          reaches="Its users see the change, and an offline event may send e-mails to its contacts."
          description={now.isError && ipid !== '' ? 'No instrument with this ID, or you can’t see it.' : undefined}
          {...form.getInputProps('ipid')}
          onChange={(chosen) => form.change({ ...empty, ipid: chosen })}
        />
      </div>
      <NativeSelect
        label="Instrument status"
        required
        disabled={instrumentStatus === ''}
        data={options(instrumentStatus, instrumentStatuses)}
        {...form.getInputProps('instrumentStatus')}
        value={instrumentStatus}
      />
      <NativeSelect
        label="ORC status"
        required
        disabled={orcStatus === ''}
        data={options(orcStatus, orcStatuses)}
        {...form.getInputProps('orcStatus')}
        value={orcStatus}
      />
      {isLost(orcStatus) && (
        <Checkbox label="Create offline event" {...form.getInputProps('createOfflineEvent', { type: 'checkbox' })} />
      )}
    </ToolForm>
  )
}
