import type { Maintenance } from '@benchwatch/contract/maintenance'
import { Button } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { reasonOf } from '../../lib/reason.ts'
import { confirm } from '../../ui/confirm-store.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { showFailure, showSuccess } from '../../ui/toasts.ts'
import { useNow } from '../../ui/use-now.ts'
import { useSaving } from '../../ui/use-saving.ts'
import { hasBegun, type MaintainedInstrument } from './current-maintenance.ts'
import { type MaintenanceChange, useSetMaintenance } from './maintenance.api.ts'
import styles from './maintenance-dialog.module.css'
import { MaintenanceFields } from './maintenance-fields.tsx'
import { changeOf, replacedBy } from './maintenance-form.ts'
import { MaintenanceList } from './maintenance-list.tsx'
import { windowWords } from './maintenance-words.ts'
import { type MaintenanceEdit, useMaintenanceEdit } from './use-maintenance-edit.ts'

const LOSES_ENTRIES = {
  message: 'Go on without applying? What you entered here will be lost.',
  confirmLabel: 'Discard',
  cancelLabel: 'Stay',
  isDestructive: true,
}

/**
 * The maintenance modal of document 2 sections 2 and 4: sets an instrument into maintenance now, for a range of days or
 * again and again, and changes or ends what is on or to come. Stays open when the server refuses.
 */
export function MaintenanceDialog(props: {
  instrument: MaintainedInstrument
  onChanged: (maintenances: Maintenance[]) => void
  onClose: () => void
}) {
  const { instrument, onChanged, onClose } = props
  const there = instrument.maintenances
  const now = useNow()
  const edit = useMaintenanceEdit(there, now)
  const { edited, opened, form } = edit
  const [isAsking, setAsking] = useState(false)
  const { mutateAsync } = useSetMaintenance()
  const saving = useSaving()
  const context = { edited, opened, now: new Date() }
  const change = changeOf(form, context)

  /** Whether nothing is lost, or may be. */
  async function mayDiscard(): Promise<boolean> {
    if (!edit.isChanged) return true
    setAsking(true)
    const isConfirmed = await confirm(LOSES_ENTRIES)
    setAsking(false)
    return isConfirmed
  }

  async function handleClose() {
    if (!isAsking && !saving.isSaving && (await mayDiscard())) onClose()
  }

  async function handleChoice(next: Maintenance | null) {
    if (!(await mayDiscard())) return
    saving.forget()
    edit.begin(next)
  }

  /** What there is afterwards; undefined where it failed, which is told. */
  async function send(wanted: MaintenanceChange): Promise<Maintenance[] | undefined> {
    let answered: Maintenance[] | undefined
    await saving.save(async () => {
      try {
        answered = (await mutateAsync({ instrumentId: instrument.id, change: wanted })).maintenances
      } catch (error) {
        showFailure({
          title: 'Could not update maintenance',
          message: reasonOf(error),
        })
        throw error
      }
      onChanged(answered)
      showSuccess({ title: 'Maintenance updated', message: instrumentName(instrument) })
      return null
    })
    return answered
  }

  async function handleApply(submit: FormEvent) {
    submit.preventDefault()
    if (change !== null && !saving.isSaving && (await send(change)) !== undefined) onClose()
  }

  async function handleEnd(one: Maintenance) {
    setAsking(true)
    const isConfirmed = await confirm(endQuestion(one, now))
    setAsking(false)
    if (!isConfirmed) return
    const then = await send({ id: one.id, start: null })
    if (then !== undefined) edit.accept(then)
  }

  return (
    <Dialog
      onClose={() => void handleClose()}
      closeOnEscape={!isAsking}
      trapFocus={!isAsking}
      title={
        <>
          Maintenance
          <span className={styles.instrument} dir="auto">
            {instrumentName(instrument)}
          </span>
        </>
      }
      size={760}
      // It grows downwards: a switch stays under the pointer that pressed it.
      centered={false}
      yOffset="4dvh"
      classNames={{ inner: styles.inner, content: styles.content, body: styles.body }}
    >
      <form className={styles.form} onSubmit={(submit) => void handleApply(submit)} noValidate>
        <div className={styles.parts}>
          {there.length > 0 && (
            <MaintenanceList
              there={there}
              editedId={edited?.id ?? null}
              now={now}
              isBusy={saving.isSaving}
              onChange={(one) => void handleChoice(one)}
              onAdd={() => void handleChoice(null)}
              onEnd={(one) => void handleEnd(one)}
            />
          )}
          <MaintenanceFields
            form={form}
            context={context}
            siteZone={instrument.instrumentTimeZone}
            refused={saving.problems}
            onChange={(edits) => {
              saving.forget()
              edit.change(edits)
            }}
          />
          <Replaced some={replacedBy(change, there)} zone={form.zone} />
        </div>
        <div className={styles.foot}>
          <Meanwhile kind={edit.meanwhile} />
          {saving.failure !== null && <Notice tone="danger">{saving.failure}</Notice>}
          <div className={styles.buttons}>
            <Button variant="default" disabled={saving.isSaving} onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={saving.isSaving} disabled={change === null}>
              Apply
            </Button>
          </div>
        </div>
      </form>
    </Dialog>
  )
}

function Meanwhile({ kind }: { kind: MaintenanceEdit['meanwhile'] }) {
  if (kind === 'nothing') return null
  return (
    <Notice tone="warning">
      {kind === 'ended'
        ? 'This maintenance is over or was ended by somebody else. What you entered is still here: applying it sets a further one.'
        : 'The maintenance of this instrument was changed meanwhile. What you entered is still here.'}
    </Notice>
  )
}

function Replaced({ some, zone }: { some: readonly Maintenance[]; zone: string }) {
  if (some.length === 0) return null
  const words = some.map(({ start, end }) =>
    end === null ? 'the one without an end' : windowWords({ start, end }, zone),
  )
  return <Notice tone="info">It takes the place of what it overlaps: {words.join('; ')}.</Notice>
}

function instrumentName({ instrumentProductDescription, instrumentInstalledProductId }: MaintainedInstrument): string {
  return `${instrumentProductDescription} · ${instrumentInstalledProductId}`
}

function endQuestion({ rrule, start }: Maintenance, now: number) {
  const isOn = hasBegun({ start }, now)
  if (rrule !== null) {
    const message = `End this recurring maintenance? None of its windows comes any more${isOn ? ', and the one that is on ends now' : ''}.`
    return { message, confirmLabel: 'End it', isDestructive: true }
  }
  return isOn
    ? { message: 'End this maintenance now?', confirmLabel: 'End it', isDestructive: true }
    : { message: 'Call this maintenance off? It will not begin.', confirmLabel: 'Call it off', isDestructive: true }
}
