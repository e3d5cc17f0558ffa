import type { ServiceEvent } from '@benchwatch/contract/events'
import type { Instrument } from '@benchwatch/contract/instruments'
import { alertStatusLabels } from '@benchwatch/contract/vocabulary'
import { Button, TextInput } from '@mantine/core'
import { type FormEvent, Fragment, type ReactNode, useState } from 'react'
import { reasonOf } from '../../lib/folded.ts'
import { eventName } from '../../lib/screen-name.ts'
import { formatEventTime } from '../../lib/time/dates.ts'
import form from '../../ui/form/form.module.css'
import { Card } from '../../ui/layout/card.tsx'
import { showFailure, showSuccess } from '../../ui/overlay/toasts.ts'
import styles from './backoffice.module.css'
import { type DeletionKind, deletionLabel, isConfirmed } from './delete-for-good.tsx'
import { useDelete } from './deletions.api.ts'

/** What was found: its id on the wire, the name that has to be typed, and what there is to say of it. */
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

/** Deletes one thing for good, once its name was typed. `children` find it; `onDone` forgets it. */
export function DeletionForm(props: DeletionFormProps) {
  return (
    <Card title={deletionLabel[props.kind].title}>
      <DeletionFields {...props} />
    </Card>
  )
}

/** The same without a frame of its own, for a dialog. */
export function DeletionFields(props: DeletionFormProps) {
  const { kind, subject } = props
  const { title, thing, goes } = deletionLabel[kind]
  const [typed, setTyped] = useState({ id: '', text: '' })
  const remove = useDelete(kind)
  // Of another thing that was found meanwhile nothing was typed yet.
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
