import type { Maintenance } from '@benchwatch/contract/maintenance'
import { useState } from 'react'
import { viewerZone } from '../../lib/zone-clock.ts'
import { currentMaintenance } from './current-maintenance.ts'
import { type FormContext, isChanged, type MaintenanceForm, maintenanceForm } from './maintenance-form.ts'

/** A form about one maintenance, or a further one, while others may change what there is. */
export interface MaintenanceEdit extends Pick<FormContext, 'edited' | 'opened'> {
  form: MaintenanceForm
  isChanged: boolean
  /** Somebody else changed what there is since the form was opened, and something was entered here. */
  meanwhile: 'nothing' | 'changed' | 'ended'
  change: (edits: Partial<MaintenanceForm>) => void
  /** Begins with another one; null: with a further one. What was entered is gone. */
  begin: (edited: Maintenance | null) => void
  /** What there is after a change that was made here. */
  accept: (there: readonly Maintenance[]) => void
}

interface Begun {
  edited: Maintenance | null
  opened: MaintenanceForm
  /** What there was, as text. */
  there: string
}

/** `there`: what is on or to come. Without anything entered the form follows it. */
export function useMaintenanceEdit(there: readonly Maintenance[], now: number): MaintenanceEdit {
  const [begun, setBegun] = useState(() => beginningOf(currentMaintenance(there, now), { there, now }))
  const [form, setForm] = useState(begun.opened)
  const isEdited = isChanged(form, begun.opened)
  const { edited } = begun
  const known = there.find(({ id }) => id === edited?.id)
  const isNews = JSON.stringify(there) !== begun.there
  const isOver = edited !== null && known === undefined

  function begin(next: Begun) {
    setBegun(next)
    setForm(next.opened)
  }

  // Nothing is at stake: the form shows what there is now. A further one that was asked for stays that.
  if (isNews && !isEdited) {
    const next = edited === null && begun.there !== '[]' ? null : (known ?? currentMaintenance(there, now))
    begin({ ...beginningOf(next, { there, now }), ...(next === null && edited === null && furtherOf(begun)) })
  }

  return {
    // One that is over can't be changed: what was entered becomes a further one.
    edited: isOver ? null : edited,
    opened: begun.opened,
    form,
    isChanged: isEdited,
    meanwhile: !isNews || !isEdited ? 'nothing' : isOver ? 'ended' : 'changed',
    change: (edits) => setForm((before) => ({ ...before, ...edits })),
    begin: (next) => {
      const beginning = beginningOf(next, { there, now })
      begin(next === null ? { ...beginning, ...furtherOf(beginning) } : beginning)
    },
    accept: (then) => begin(beginningOf(currentMaintenance(then, now), { there: then, now })),
  }
}

function beginningOf(
  edited: Maintenance | null,
  { there, now }: { there: readonly Maintenance[]; now: number },
): Begun {
  const opened = maintenanceForm(edited, { zone: viewerZone(), now: new Date(now) })
  return { edited, opened, there: JSON.stringify(there) }
}

/** Somebody who asks for a further one means another time. */
function furtherOf({ opened }: Begun): Pick<Begun, 'opened'> {
  return { opened: { ...opened, isOn: true, isRange: true } }
}
