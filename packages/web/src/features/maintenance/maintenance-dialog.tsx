import type { Maintenance } from '@benchwatch/contract/instruments/maintenance'
import { limits } from '@benchwatch/contract/vocabulary'
import { Button, Group, Paper, Stack, Text, Textarea } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { editsOf, isSame } from '../../lib/draft.ts'
import { viewerZone } from '../../lib/time/zone-clock.ts'
import { type RecordForm, useRecordForm } from '../../ui/form/record-form.tsx'
import { Switch } from '../../ui/form/switch.tsx'
import { confirm } from '../../ui/overlay/confirm.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { showFailure, showSuccess } from '../../ui/overlay/toasts.ts'
import { Notice } from '../../ui/text/notice.tsx'
import { useNow } from '../../ui/time/use-now.ts'
import { forgetInput, keepInput, keptInput } from '../../ui/use-unsent.ts'
import {
  currentMaintenance,
  hasStarted,
  type MaintainedInstrument,
  maintenanceSpan,
  maintenanceState,
  maintenanceStateLabels,
} from './current-maintenance.ts'
import { type MaintenanceChange, useSetMaintenance } from './maintenance.api.ts'
import styles from './maintenance-dialog.module.css'
import {
  changeOf,
  type FormContext,
  type MaintenanceForm,
  maintenanceForm,
  noRange,
  replacedBy,
} from './maintenance-form.ts'
import { recurrenceLabel, windowLabel } from './maintenance-labels.ts'
import { MaintenanceMark } from './maintenance-mark.tsx'
import { RangeFields } from './range-fields.tsx'

/** The form for an existing or a new maintenance, while other users may change the maintenance of the instrument. */
interface MaintenanceEdit extends Pick<FormContext, 'edited' | 'opened'> {
  form: RecordForm<MaintenanceForm>
  /** Set if another user changed the maintenance after the form was opened and this user has entered something. */
  conflict: 'none' | 'changed' | 'ended'
  /** Starts with another maintenance, or with a new one if null. Discards the entries. */
  begin: (edited: Maintenance | null) => void
  /** Takes over the maintenance after a change made here. */
  accept: (maintenances: readonly Maintenance[]) => void
}

interface InitialEdit {
  edited: Maintenance | null
  opened: MaintenanceForm
  /** All maintenance at that time. */
  snapshot: readonly Maintenance[]
}

interface FieldsProps {
  form: MaintenanceForm
  context: FormContext
  siteZone: string
  /** Fields that the server refused. */
  refused: Readonly<Record<string, ReactNode>>
  onChange: (edits: Partial<MaintenanceForm>) => void
}

const LOSES_ENTRIES = {
  message: 'Discard your entries? They have not been applied.',
  confirmLabel: 'Discard',
  cancelLabel: 'Stay',
  isDestructive: true,
}

/**
 * The maintenance modal of document 2 sections 2 and 4. Starts maintenance now, for a range of days or repeatedly, and
 * changes or ends current and planned maintenance. Stays open when the server refuses.
 */
export function MaintenanceDialog(props: {
  instrument: MaintainedInstrument
  /** The maintenance to begin with; the current one by default. */
  maintenanceId?: string
  onChanged: (maintenances: Maintenance[]) => void
  onClose: () => void
}) {
  const { instrument, onChanged, onClose } = props
  const maintenances = instrument.maintenances
  const now = useNow()
  const keep = `maintenance ${instrument.id}`
  const edit = useMaintenanceEdit(maintenances, { now, firstId: props.maintenanceId, keep })
  const { edited, opened, form } = edit
  const { values } = form
  const [isAsking, setAsking] = useState(false)
  const { mutateAsync } = useSetMaintenance()
  const context = { edited, opened, now: new Date() }
  const change = changeOf(values, context)

  /** Returns true if nothing was entered or the user agrees to discard it. */
  async function mayDiscard(): Promise<boolean> {
    if (!form.isChanged) return true
    setAsking(true)
    const isConfirmed = await confirm(LOSES_ENTRIES)
    setAsking(false)
    return isConfirmed
  }

  function leave() {
    forgetInput(keep)
    onClose()
  }

  async function handleClose() {
    if (!isAsking && !form.isSaving && (await mayDiscard())) leave()
  }

  async function handleChoice(next: Maintenance | null) {
    if (!(await mayDiscard())) return
    form.clearErrors()
    edit.begin(next)
  }

  /** Returns the maintenance after the change; undefined if it failed and the error is on screen. */
  async function send(input: MaintenanceChange): Promise<Maintenance[] | undefined> {
    let saved: Maintenance[] | undefined
    await form.run(async () => {
      saved = (await mutateAsync({ instrumentId: instrument.id, change: input })).maintenances
      onChanged(saved)
      showSuccess({ title: 'Maintenance updated', message: instrumentName(instrument) })
      return undefined
    })
    return saved
  }

  async function handleApply(submit: FormEvent) {
    submit.preventDefault()
    if (change !== null && !form.isSaving && (await send(change)) !== undefined) leave()
  }

  async function handleEnd(one: Maintenance) {
    setAsking(true)
    const isConfirmed = await confirm(endQuestion(one, now))
    setAsking(false)
    if (!isConfirmed) return
    const saved = await send({ id: one.id, start: null })
    if (saved !== undefined) edit.accept(saved)
  }

  return (
    <Dialog
      onClose={() => void handleClose()}
      closeOnEscape={!isAsking}
      trapFocus={!isAsking}
      title={
        <>
          Maintenance
          <Text fw={400} c="dimmed" dir="auto" style={{ overflowWrap: 'anywhere' }}>
            {instrumentName(instrument)}
          </Text>
        </>
      }
      size={760}
      // The dialog grows downwards, so a switch stays under the pointer that pressed it.
      centered={false}
      yOffset="4dvh"
      classNames={{ inner: styles.inner, content: styles.content, body: styles.body }}
    >
      <form className={styles.form} onSubmit={(submit) => void handleApply(submit)} noValidate>
        <Stack gap={14} p="0 16px 16px" flex="1 0 auto">
          {maintenances.length > 0 && (
            <MaintenanceList
              maintenances={maintenances}
              editedId={edited?.id ?? null}
              now={now}
              isBusy={form.isSaving}
              onChange={(one) => void handleChoice(one)}
              onAdd={() => void handleChoice(null)}
              onEnd={(one) => void handleEnd(one)}
            />
          )}
          <MaintenanceFields
            form={values}
            context={context}
            siteZone={instrument.instrumentTimeZone}
            refused={form.errors}
            onChange={(edits) => {
              form.clearErrors()
              form.change(edits)
            }}
          />
          <Replaced some={replacedBy(change, maintenances)} zone={values.zone} />
        </Stack>
        <Stack className={styles.foot} gap={10}>
          <ConflictNotice kind={edit.conflict} />
          {form.failure !== null && <Notice tone="danger">{form.failure}</Notice>}
          <Group justify="flex-end" gap={8} wrap="nowrap">
            <Button variant="default" disabled={form.isSaving} onClick={leave}>
              Cancel
            </Button>
            <Button type="submit" loading={form.isSaving} disabled={change === null}>
              Apply
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

function ConflictNotice({ kind }: { kind: MaintenanceEdit['conflict'] }) {
  if (kind === 'none') return null
  return (
    <Notice tone="warning">
      {kind === 'ended'
        ? 'This maintenance is over or was ended by another user. Your entries are kept; applying them creates a new maintenance.'
        : 'Another user changed the maintenance of this instrument. Your entries are kept.'}
    </Notice>
  )
}

function Replaced({ some, zone }: { some: readonly Maintenance[]; zone: string }) {
  if (some.length === 0) return null
  const labels = some.map(({ start, end }) =>
    end === null ? 'the maintenance without an end' : windowLabel({ start, end }, zone),
  )
  return <Notice tone="info">Replaces overlapping maintenance: {labels.join('; ')}.</Notice>
}

function instrumentName({ instrumentProductDescription, instrumentInstalledProductId }: MaintainedInstrument): string {
  return `${instrumentProductDescription} · ${instrumentInstalledProductId}`
}

function endQuestion({ rrule, start }: Maintenance, now: number) {
  const isOn = hasStarted({ start }, now)
  if (rrule !== null) {
    const message = `End this recurring maintenance? No further windows start${isOn ? ', and the current one ends now' : ''}.`
    return { message, confirmLabel: 'End maintenance', isDestructive: true }
  }
  return isOn
    ? { message: 'End this maintenance now?', confirmLabel: 'End maintenance', isDestructive: true }
    : {
        message: 'Cancel this maintenance? It will not start.',
        confirmLabel: 'Cancel maintenance',
        cancelLabel: 'Keep',
        isDestructive: true,
      }
}

/** "Maintenance mode", then "Date range", then the schedule and the reason. */
function MaintenanceFields(props: FieldsProps) {
  const { form, context, refused, onChange } = props
  return (
    <>
      <Paper component={Stack} gap={8} withBorder radius={8} px={12} py={8}>
        <Switch
          label="Maintenance mode"
          isOn={form.isOn}
          hint={modeHint(form, context)}
          onChange={(isOn) => onChange({ isOn })}
        />
        {form.isOn && (
          <Switch
            label="Date range"
            isOn={form.isRange}
            hint={form.isRange ? 'Runs from the first to the last selected day.' : 'Starts now, runs until turned off.'}
            onChange={(isRange) => onChange(isRange ? { isRange } : noRange)}
          />
        )}
      </Paper>
      {form.isOn && form.isRange && <RangeFields key={context.edited?.id ?? 'another'} {...props} />}
      {form.isOn && (
        <Textarea
          label="Reason"
          placeholder="What is being done, and by whom?"
          rows={2}
          maxLength={limits.maintenanceReason}
          value={form.reason}
          error={refused['reason']}
          onChange={({ currentTarget }) => onChange({ reason: currentTarget.value })}
        />
      )}
    </>
  )
}

/** Explains what applying the form means for the instrument and its events. */
function modeHint({ isOn }: MaintenanceForm, { edited }: FormContext): string {
  if (isOn) return 'Events are still recorded and flagged as “during maintenance”.'
  if (edited === null) return 'The instrument is not in maintenance.'
  return edited.rrule === null ? 'Applying ends this maintenance.' : 'Applying ends all windows of this maintenance.'
}

/**
 * Current and planned maintenance by start, each with buttons to change or end it. `editedId` is the one in the form
 * below.
 */
function MaintenanceList(props: {
  maintenances: readonly Maintenance[]
  editedId: string | null
  now: number
  isBusy: boolean
  onChange: (one: Maintenance) => void
  onAdd: () => void
  onEnd: (one: Maintenance) => void
}) {
  const { maintenances, editedId, now, isBusy } = props
  return (
    <section aria-label="Current and planned">
      <Paper component="ul" withBorder radius={8} m="0 0 4px" p={0} className={styles.list}>
        {maintenances.map((one) => {
          const isEdited = one.id === editedId
          const recurrence = recurrenceLabel(one)
          const name = `${maintenanceStateLabels[maintenanceState(one, now)]}: ${maintenanceSpan(one, now)}`
          return (
            <Group component="li" key={one.id} gap={8} p="8px 10px" aria-current={isEdited || undefined}>
              <MaintenanceMark maintenances={[one]} now={now} />
              <Stack gap={0} flex="1 1 240px" miw={0} style={{ overflowWrap: 'anywhere' }}>
                <Text>{maintenanceSpan(one, now)}</Text>
                {recurrence !== null && (
                  <Text size="xs" c="dimmed">
                    {recurrence}
                  </Text>
                )}
                {one.reason !== null && (
                  <Text size="xs" c="dimmed" dir="auto">
                    {one.reason}
                  </Text>
                )}
              </Stack>
              {!isEdited && (
                <Button
                  variant="subtle"
                  px={8}
                  disabled={isBusy}
                  aria-label={`Change: ${name}`}
                  onClick={() => props.onChange(one)}
                >
                  Change
                </Button>
              )}
              <Button
                variant="subtle"
                px={8}
                disabled={isBusy}
                aria-label={`End: ${name}`}
                onClick={() => props.onEnd(one)}
              >
                End…
              </Button>
            </Group>
          )
        })}
        {editedId === null && (
          <Text component="li" p="8px 10px" aria-current>
            New maintenance
          </Text>
        )}
      </Paper>
      {editedId !== null && (
        <Button
          variant="subtle"
          px={8}
          leftSection={<IconPlus size={14} stroke={1.8} aria-hidden="true" />}
          disabled={isBusy}
          onClick={props.onAdd}
        >
          Add another
        </Button>
      )}
    </section>
  )
}

/**
 * `maintenances`: current and planned maintenance. The form follows it until the user enters something, which is kept
 * under the name `keep` when the page is left or loaded again.
 */
function useMaintenanceEdit(
  maintenances: readonly Maintenance[],
  { now, firstId, keep }: { now: number; firstId: string | undefined; keep: string },
): MaintenanceEdit {
  const [kept] = useState(() => {
    const one = keptInput(keep) as { initial: InitialEdit; values: MaintenanceForm } | undefined
    return firstId === undefined || one?.initial.edited?.id === firstId ? one : undefined
  })
  const [initial, setInitial] = useState(
    () =>
      kept?.initial ??
      initialEdit(maintenances.find(({ id }) => id === firstId) ?? currentMaintenance(maintenances, now), {
        maintenances,
        now,
      }),
  )
  const form = useRecordForm<MaintenanceForm>({
    record: initial.opened,
    edits: kept && editsOf(kept.initial.opened, kept.values),
    // Applying and ending are requests of their own.
    save: async (values) => values,
    onFailure: (reason) => showFailure({ title: 'Could not update maintenance', message: reason }),
  })
  const { isChanged, values } = form
  useEffect(() => {
    if (isChanged) keepInput(keep, { initial, values })
    else forgetInput(keep)
  }, [keep, isChanged, initial, values])
  const { edited } = initial
  const known = maintenances.find(({ id }) => id === edited?.id)
  const isNews = !isSame(maintenances, initial.snapshot)
  const isOver = edited !== null && known === undefined

  function begin(next: InitialEdit) {
    form.accept(next.opened)
    setInitial(next)
  }

  // Without entries the form shows the new state. A new maintenance stays a new one.
  if (isNews && !isChanged) {
    const next =
      edited === null && initial.snapshot.length > 0 ? null : (known ?? currentMaintenance(maintenances, now))
    setInitial({
      ...initialEdit(next, { maintenances, now }),
      ...(next === null && edited === null && newRange(initial)),
    })
  }

  return {
    // A maintenance that is over can't be changed: the entries become a new one.
    edited: isOver ? null : edited,
    opened: initial.opened,
    form,
    conflict: !isNews || !isChanged ? 'none' : isOver ? 'ended' : 'changed',
    begin: (next) => {
      const beginning = initialEdit(next, { maintenances, now })
      begin(next === null ? { ...beginning, ...newRange(beginning) } : beginning)
    },
    accept: (saved) => begin(initialEdit(currentMaintenance(saved, now), { maintenances: saved, now })),
  }
}

function initialEdit(
  edited: Maintenance | null,
  { maintenances, now }: { maintenances: readonly Maintenance[]; now: number },
): InitialEdit {
  const opened = maintenanceForm(edited, { zone: viewerZone(), now: new Date(now) })
  return { edited, opened, snapshot: maintenances }
}

/** A new maintenance beside existing ones defaults to another time. */
function newRange({ opened }: InitialEdit): Pick<InitialEdit, 'opened'> {
  return { opened: { ...opened, isOn: true, isRange: true } }
}
