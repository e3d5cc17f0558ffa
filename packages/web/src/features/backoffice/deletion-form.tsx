import type { ServiceEvent } from '@benchwatch/contract/events'
import type { Instrument } from '@benchwatch/contract/instruments'
import { alertStatusLabels, type FeatureKey } from '@benchwatch/contract/vocabulary'
import { Button, TextInput } from '@mantine/core'
import { type FormEvent, Fragment, type ReactNode, useState } from 'react'
import { reasonOf } from '../../lib/folded.ts'
import { eventName } from '../../lib/screen-name.ts'
import { formatEventTime } from '../../lib/time/dates.ts'
import form from '../../ui/form/form.module.css'
import { Card } from '../../ui/layout/card.tsx'
import { showFailure, showSuccess } from '../../ui/overlay/toasts.ts'
import styles from './backoffice.module.css'
import { type DeletionKind, useDelete } from './deletions.api.ts'

/** Kinds of objects that can be deleted permanently, each behind its own flag (3-decisions 5). */
const deletionKinds: readonly DeletionKind[] = ['instrument', 'event', 'log', 'profile', 'user']

export const deletions: Record<DeletionKind, { flag: FeatureKey; title: string; thing: string; goes: string }> = {
  instrument: {
    flag: 'ALLOW_ASSET_DELETE',
    title: 'Delete an instrument',
    thing: 'instrument',
    goes: 'Its events, logs, usage, run times, maintenance and contacts’ unsubscriptions go with it.',
  },
  event: {
    flag: 'ALLOW_EVENT_DELETE',
    title: 'Delete a service event',
    thing: 'event',
    goes: 'What was mailed and told about it goes with it; its record stays.',
  },
  log: {
    flag: 'ALLOW_LOG_DELETE',
    title: 'Delete a log line',
    thing: 'log line',
    goes: 'The line is gone for everybody; that it was deleted is recorded.',
  },
  profile: {
    flag: 'ALLOW_PROFILE_DELETE',
    title: 'Delete a profile',
    thing: 'profile',
    goes: 'It is as if it had never been set. Its owner gets one with the settings of the beginning.',
  },
  user: {
    flag: 'ALLOW_USER_DELETE',
    title: 'Delete a user',
    thing: 'user',
    goes: 'Their sessions end and their personal data go. What they did stays under their name in the record.',
  },
}

/** Returns the kinds that the user may delete. */
export function deletableKinds(role: string, features: readonly FeatureKey[]): DeletionKind[] {
  if (role !== 'support' && role !== 'admin') return []
  return deletionKinds.filter((kind) => features.includes(deletions[kind].flag))
}

/** True if the typed text is the name, in upper or lower case. */
export function isConfirmed(typed: string, name: string): boolean {
  return name !== '' && typed.trim().toLowerCase() === name.trim().toLowerCase()
}

/** The object to delete: its ID on the wire, the name to type, and facts to recognise it by. */
export interface DeletionSubject {
  id: string
  name: string
  facts: readonly { name: string; value: ReactNode }[]
}

export function subjectOfInstrument(instrument: Instrument): DeletionSubject {
  return {
    id: instrument.id,
    name: instrument.instrumentInstalledProductId,
    facts: [
      { name: 'Instrument', value: instrument.instrumentProductDescription },
      { name: 'System name', value: instrument.instrumentDefinedSystemName ?? '–' },
      { name: 'Customer', value: instrument.instrumentCustomer },
      { name: 'Open events', value: instrument.eventCount.toLocaleString('en') },
    ],
  }
}

export function subjectOfEvent(event: ServiceEvent): DeletionSubject {
  return {
    id: event.id,
    name: eventName(event),
    facts: [
      { name: 'Description', value: event.description ?? '–' },
      { name: 'Instrument', value: event.instrumentInstalledProductId },
      { name: 'Customer', value: event.enterpriseName ?? '–' },
      { name: 'Status', value: alertStatusLabels[event.alertStatus] },
      { name: 'Raised', value: formatEventTime(event.createdAt) },
    ],
  }
}

interface DeletionFormProps {
  kind: DeletionKind
  subject: DeletionSubject | null
  onDone: () => void
  children?: ReactNode
}

/**
 * Deletes one object permanently after its name was typed. `children` are the fields that find it; `onDone` resets
 * them.
 */
export function DeletionForm(props: DeletionFormProps) {
  return (
    <Card title={deletions[props.kind].title}>
      <DeletionFields {...props} />
    </Card>
  )
}

/** The form without a card, for a dialog. */
export function DeletionFields(props: DeletionFormProps) {
  const { kind, subject } = props
  const { title, thing, goes } = deletions[kind]
  const [typed, setTyped] = useState({ id: '', text: '' })
  const remove = useDelete(kind)
  // Text that was typed for another object does not count.
  const text = typed.id === subject?.id ? typed.text : ''
  const canDelete = subject !== null && isConfirmed(text, subject.name)

  async function handleSubmit(submit: FormEvent) {
    submit.preventDefault()
    if (!canDelete || remove.isPending) return
    try {
      await remove.mutateAsync(subject.id)
      showSuccess({ title: `Deleted: ${subject.name}` })
      setTyped({ id: '', text: '' })
      props.onDone()
    } catch (error) {
      showFailure({ title: `Could not delete ${subject.name}`, message: reasonOf(error) })
    }
  }

  return (
    <>
      <p className={styles.intro}>{goes}</p>
      <form noValidate aria-label={title} onSubmit={(submit) => void handleSubmit(submit)}>
        <div className={form.fields}>
          {props.children}
          {subject !== null && (
            <>
              <dl className={styles.subject} data-wide>
                {subject.facts.map(({ name, value }) => (
                  <Fragment key={name}>
                    <dt>{name}</dt>
                    <dd>{value}</dd>
                  </Fragment>
                ))}
              </dl>
              <TextInput
                wrapperProps={{ 'data-wide': true }}
                label={`Type ${subject.name} to confirm`}
                autoComplete="off"
                spellCheck={false}
                value={text}
                onChange={({ currentTarget }) => setTyped({ id: subject.id, text: currentTarget.value })}
              />
            </>
          )}
        </div>
        <div className={styles.end}>
          <Button
            type="submit"
            color={canDelete ? 'var(--bw-danger)' : undefined}
            c={canDelete ? 'var(--bw-on-accent)' : undefined}
            disabled={!canDelete}
            loading={remove.isPending}
          >
            Delete the {thing} for good
          </Button>
        </div>
      </form>
    </>
  )
}
