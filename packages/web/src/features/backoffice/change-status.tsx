import { INSTALLED_PRODUCT_ID } from '@benchwatch/contract/patterns'
import { type InstrumentStatus, instrumentStatuses, type OrcStatus, orcStatuses } from '@benchwatch/contract/vocabulary'
import { Checkbox, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { showSuccess } from '../../ui/overlay/toasts.ts'
import { instrumentStatusQuery, useSetInstrumentStatus } from './backoffice.api.ts'
import { InstrumentInput, type OnUnsaved, ToolForm, useTool } from './tool-form.tsx'

interface Edits {
  instrumentStatus?: InstrumentStatus
  orcStatus?: OrcStatus
  createOfflineEvent?: boolean
}

const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

/** Statuses of an instrument, set as if it had reported them. They begin as they are now. */
export function ChangeStatus({ onUnsaved }: { onUnsaved: OnUnsaved }) {
  const [ipid, setIpid] = useState('')
  const [edits, setEdits] = useState<Edits>({})
  const now = useQuery({ ...instrumentStatusQuery(ipid), enabled: INSTALLED_PRODUCT_ID.test(ipid) })
  const set = useSetInstrumentStatus()
  const { isPending, problems, refusals, run, noteEdit, noteClear } = useTool(
    'Could not change instrument status',
    onUnsaved,
  )
  function edit(more: Edits) {
    setEdits((known) => ({ ...known, ...more }))
    noteEdit(Object.keys(more))
  }
  const instrumentStatus = edits.instrumentStatus ?? now.data?.instrumentStatus
  const orcStatus = edits.orcStatus ?? now.data?.orcStatus
  const isLost = orcStatus === 'Disconnected' || orcStatus === 'Edge Issue'

  async function submit() {
    if (ipid === '')
      return void (await run(
        () => Promise.resolve(),
        [{ path: 'ipid', message: 'Installed product ID cannot be empty.' }],
      ))
    const done = await run(async () => {
      const known = now.data ?? (await now.refetch({ throwOnError: true })).data
      if (known === undefined) throw new Error('Choose an instrument that you see.')
      await set.mutateAsync({
        ipid,
        instrumentStatus: edits.instrumentStatus ?? known.instrumentStatus,
        orcStatus: edits.orcStatus ?? known.orcStatus,
        createOfflineEvent: isLost && edits.createOfflineEvent === true,
      })
    })
    if (!done) return
    showSuccess({ title: 'Instrument status changed' })
    setEdits({})
  }

  return (
    <ToolForm
      title="Change instrument status"
      anchor="change-status"
      intro="Sets both statuses as if the instrument had reported them. They hold until it reports again."
      submitLabel="Change status"
      isPending={isPending}
      refusals={refusals}
      onSubmit={() => void submit()}
      onClear={() => {
        setIpid('')
        setEdits({})
        noteClear()
      }}
    >
      <div data-wide>
        <InstrumentInput
          required
          value={ipid}
          error={problems.ipid}
          reaches="Its users see the change, and an offline event may send e-mails to its contacts."
          description={now.isError && ipid !== '' ? 'No instrument that you see has this id.' : undefined}
          onChange={(chosen) => {
            setIpid(chosen)
            noteEdit(['ipid'])
            setEdits({})
          }}
        />
      </div>
      <NativeSelect
        label="Instrument status"
        required
        disabled={instrumentStatus === undefined}
        value={instrumentStatus ?? ''}
        error={problems.instrumentStatus}
        data={[
          ...(instrumentStatus === undefined ? [{ value: '', label: 'Choose an instrument first' }] : []),
          ...instrumentStatuses.map((status) => ({ value: status, label: capitalised(status) })),
        ]}
        onChange={({ currentTarget }) => edit({ instrumentStatus: currentTarget.value as InstrumentStatus })}
      />
      <NativeSelect
        label="ORC status"
        required
        disabled={orcStatus === undefined}
        value={orcStatus ?? ''}
        error={problems.orcStatus}
        data={[
          ...(orcStatus === undefined ? [{ value: '', label: 'Choose an instrument first' }] : []),
          ...orcStatuses.map((status) => ({ value: status, label: status })),
        ]}
        onChange={({ currentTarget }) => edit({ orcStatus: currentTarget.value as OrcStatus })}
      />
      <Checkbox
        label="Create offline event"
        description="Goes with the ORC status Disconnected or Edge Issue."
        disabled={!isLost}
        checked={isLost && edits.createOfflineEvent === true}
        error={problems.createOfflineEvent}
        onChange={({ currentTarget }) => edit({ createOfflineEvent: currentTarget.checked })}
      />
    </ToolForm>
  )
}
